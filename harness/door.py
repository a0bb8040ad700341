"""What the HTTP doors of the control server and of the workers share: who may come in, and how errors are said."""

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from harness.errors import BadInput
from harness.protocol import Fault, fault


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
