"""The HTTP doors of control server and workers: who may come in, how errors are said, and how replies look."""

import base64

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from harness.errors import BadInput, UserError
from harness.wire.protocol import Fault, Reply, fault, pack


async def listen(app: web.Application, port: int = 0) -> tuple[web.AppRunner, int]:
    """Open a door on loopback (port 0: a free one); returns what closes it, and its port. Raises UserError."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
    except OSError as error:
        await runner.cleanup()
        raise UserError(f"port {port}: {error.strerror}", "choose another one, or 0 for a free one") from None
    return runner, runner.addresses[0][1]


def guard(origins: list[str]) -> Middleware:
    """A middleware that refuses foreign web pages and foreign names (DNS rebinding), and says errors as JSON."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if origin is not None and origin not in origins:
            return refuse(403, "Origin", f"{origin} is foreign", "leave it out")
        if request.host.rpartition(":")[0] not in ("127.0.0.1", "localhost"):
            return refuse(403, "Host", f"{request.host} is foreign", "connect to 127.0.0.1")
        try:
            return await handler(request)
        except BadInput as bad:
            return web.Response(status=400, body=_body(fault(bad)), content_type="application/json")
        except web.HTTPException as error:
            if error.content_type == "application/json":
                raise
            field = "message" if error.status == 413 else "path"
            return refuse(error.status, field, str(error.reason), "see docs/protocol.md")

    return middleware


def bearer(request: web.Request) -> str:
    """The token of the Authorization header, or nothing."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def refuse(status: int, field: str, problem: str, mend: str) -> web.Response:
    """An HTTP error that names the field."""
    body = _body(Fault(field=field, problem=problem, mend=mend))
    return web.Response(status=status, body=body, content_type="application/json")


def _body(problem: Fault) -> bytes:
    return msgspec.json.encode({"error": problem})


def http_response(accept: str, reply: Reply, images: list[bytes]) -> web.Response:
    """A reply as `Accept` wishes: JSON with base64 pictures, the last picture raw, or the binary message."""
    if reply.error is None and accept.startswith("image/") and images:
        header = {"X-BulletTime-Reply": msgspec.json.encode(reply).decode()}
        return web.Response(body=images[-1], content_type=f"image/{reply.frames[-1].format}", headers=header)
    if reply.error is None and accept == "application/octet-stream":
        return web.Response(body=pack(reply, images), content_type=accept)
    status = 200 if reply.error is None else 410 if reply.state == "closed" else 400
    for info, image in zip(reply.frames, images, strict=True):
        info.data = base64.b64encode(image).decode()
    return web.Response(status=status, body=msgspec.json.encode(reply), content_type="application/json")
