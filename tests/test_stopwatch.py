"""The stopwatch at a provider's calls tells when bytes left and came, whatever else keeps this process busy."""

from __future__ import annotations

import asyncio
import datetime
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from harness.agents.models import stopwatch

THINKS_S = 0.2
SIZE = 10_000  # bytes of an answer
BUSY = list(range(3_000_000, 0, -1)) * 2  # what takes longer than the answer, without giving up Python's lock


class Provider:
    """A server that answers after a while, and notes when it had the request and when it answered (µs).

    busy: then it keeps the process busy; and until when that has lasted (µs).
    """

    def __init__(self, *, busy: bool = False) -> None:
        self._busy = busy
        self.got_us = self.gave_us = self.free_us = 0

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.got_us = stopwatch.now_us()
        await request.read()
        await asyncio.sleep(THINKS_S)
        response = web.StreamResponse(headers={"content-length": str(SIZE)})
        await response.prepare(request)
        self.gave_us = stopwatch.now_us()
        await response.write(b"x" * SIZE)
        if self._busy:
            sorted(BUSY)
        self.free_us = stopwatch.now_us()
        return response

    @asynccontextmanager
    async def serving(self, secret: ssl.SSLContext | None = None) -> AsyncIterator[str]:
        app = web.Application(client_max_size=2**28)
        app.router.add_post("/", self._answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "localhost", 0, ssl_context=secret).start()
        yield f"{'https' if secret else 'http'}://localhost:{runner.addresses[0][1]}/"
        await runner.cleanup()


def certificate(folder: Path) -> Path:
    """A file with a key and the certificate of localhost that it has signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(1))
        .not_valid_after(today + datetime.timedelta(1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    form = serialization.Encoding.PEM
    private = key.private_bytes(form, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "localhost.pem"
    path.write_bytes(private + signed.public_bytes(form))
    return path


async def ask(url: str, watch: stopwatch.Stopwatch) -> int:
    """The bytes of an answer."""
    client = stopwatch.client(watch, 30)
    try:
        return len((await client.post(url, content=b"y" * 1_000_000)).content)
    finally:
        await client.aclose()


@pytest.mark.parametrize("secret", [False, True])
def test_it_tells_when_request_and_answer_were_on_their_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, secret: bool
) -> None:
    context = None
    if secret:
        path = certificate(tmp_path)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        monkeypatch.setattr(stopwatch, "_trust", lambda: ssl.create_default_context(cafile=path))
    watch, provider = stopwatch.Stopwatch(), Provider()

    async def main() -> None:
        async with provider.serving(context) as url:
            began = stopwatch.now_us()
            assert await ask(url, watch) == SIZE
            assert began < watch.sent_us < provider.got_us < provider.gave_us < watch.done_us < stopwatch.now_us()

    asyncio.run(main())


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels do not say when bytes came")
def test_a_busy_process_does_not_make_an_answer_late() -> None:
    watch, provider = stopwatch.Stopwatch(), Provider(busy=True)

    async def main() -> None:
        async with provider.serving() as url:
            await ask(url, watch)

    asyncio.run(main())
    assert provider.free_us - provider.gave_us > 50_000
    assert watch.done_us - provider.gave_us < (provider.free_us - provider.gave_us) / 2
