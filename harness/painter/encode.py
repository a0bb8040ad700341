"""Pictures as bytes to send: lossless PNG with a fast deflate, or JPEG."""

import struct
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import simplejpeg
from isal import isal_zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_END = b"\x00\x00\x00\x00IEND\xaeB`\x82"
_ZLIB = b"\x78\x01"  # a 32 kB window, quickly compressed
_WORTH = 500_000  # bytes for which a second thread pays
_helper = ThreadPoolExecutor(1, thread_name_prefix="deflate")
_NONE, _UP = 0, 2  # PNG's names for what a row's bytes are


def encode_png(rgb: np.ndarray) -> bytes:
    """A picture (rows, columns, 3; uint8) as a lossless PNG file."""
    height, width, _ = rgb.shape
    rows = np.empty((height, 1 + 3 * width), np.uint8)
    flat = rgb.reshape(height, 3 * width)
    if _is_flat(rgb):
        rows[:, 0] = _NONE
        rows[:, 1:] = flat
    else:
        rows[:, 0] = _UP
        rows[0, 1:] = flat[0]
        np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return b"".join((_SIGNATURE, *_chunk(b"IHDR", header), *_chunk(b"IDAT", _deflate(rows)), _END))


def _deflate(rows: np.ndarray) -> bytes:
    """The rows compressed, as zlib's format. Large ones in two halves at once: the second core may be free."""
    if rows.size < _WORTH:
        return isal_zlib.compress(rows, 1)
    middle = len(rows) // 2
    upper = _helper.submit(_deflate_part, rows[:middle], zlib.Z_FULL_FLUSH)
    lower = _deflate_part(rows[middle:], zlib.Z_FINISH)
    return b"".join((_ZLIB, upper.result(), lower, struct.pack(">I", isal_zlib.adler32(rows))))


def _deflate_part(rows: np.ndarray, ending: int) -> bytes:
    work = isal_zlib.compressobj(1, wbits=-15)
    return work.compress(rows) + work.flush(ending)


def encode_jpeg(rgb: np.ndarray, quality: int = 92) -> bytes:
    """A picture (rows, columns, 3; uint8) as a JPEG file with full colour resolution; quality 1 to 100."""
    return simplejpeg.encode_jpeg(np.ascontiguousarray(rgb), quality, "RGB", "444", True)


def _is_flat(rgb: np.ndarray) -> bool:
    """Whether nearly all pixels equal their left neighbour, judged by a few rows: then raw rows deflate best."""
    some = rgb[:: max(1, rgb.shape[0] // 16)]
    return bool(np.count_nonzero(some[:, 1:] == some[:, :-1]) > 0.93 * some.size)


def _chunk(name: bytes, data: bytes) -> tuple[bytes, ...]:
    total = isal_zlib.crc32(data, isal_zlib.crc32(name))
    return struct.pack(">I", len(data)), name, data, struct.pack(">I", total)
