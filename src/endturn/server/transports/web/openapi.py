"""The OpenAPI document, generated from the endpoints and the structs of the protocol."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from endturn import __version__, protocol
from endturn.protocol import Problem
from endturn.server.transports.web.endpoint import Endpoint

REF = "#/components/schemas/{name}"
ANY = (403, 429, 500, 503)  # statuses that any request can get
REASONS = {
    400: "The request is malformed.",
    401: "The request needs a valid key.",
    403: "The page's origin or the host name is not allowed.",
    404: "Not found.",
    408: "The request was not complete in time.",
    409: "The request breaks a rule, or is not possible now.",
    413: "The request is too large.",
    429: "Too many requests from one address.",
    500: "Internal error.",
    503: "The archive is down, or the server is full.",
}


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole document."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "endturn",
            "version": __version__,
            "description": "A turn-based strategy arena. Matches are played on the WebSocket "
            "/api/matches/{id}/play. Its messages have the schemas Said (from clients) and Told (from the server).",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": _schemas(endpoints),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _schemas(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    structs = [kind for each in endpoints for kind in (each.takes, each.gives) if isinstance(kind, type)]
    structs = [kind for kind in structs if kind is not str]
    (said, told), components = msgspec.json.schema_components(
        (protocol.Said, protocol.Told), ref_template=REF
    )
    _, more = msgspec.json.schema_components([*structs, Problem], ref_template=REF)
    return {**components, **more, "Said": said, "Told": told}


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": endpoint.answer.__module__.rpartition(".")[2] + "_" + endpoint.answer.__name__,
        "summary": endpoint.does,
        "parameters": [*_in_path(endpoint), *_in_query(endpoint)],
        "responses": _responses(endpoint),
    }
    if endpoint.takes is not None:
        made["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _ref(endpoint.takes)}},
        }
    if endpoint.key:
        made["security"] = [{"key": []}]
    return made


def _ref(kind: Any) -> dict[str, Any]:
    return {"$ref": REF.format(name=kind.__name__)}


def _in_path(endpoint: Endpoint) -> list[dict[str, Any]]:
    names = re.findall(r"{(\w+)}", endpoint.path)
    text = {"type": "string", "minLength": 1}
    return [{"name": name, "in": "path", "required": True, "schema": text} for name in names]


def _in_query(endpoint: Endpoint) -> list[dict[str, Any]]:
    if endpoint.query is None:
        return []
    schema = msgspec.json.schema(endpoint.query)["$defs"][endpoint.query.__name__]
    return [
        {"name": name, "in": "query", "required": False, "schema": _without_null(each)}
        for name, each in schema["properties"].items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without null: a query omits a parameter instead."""
    if "anyOf" not in schema:
        return schema
    return next(each for each in schema["anyOf"] if each.get("type") != "null")


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    kind = endpoint.gives if isinstance(endpoint.gives, str) else "application/json"
    schema = {"type": "string"} if isinstance(endpoint.gives, str) else _ref(endpoint.gives)
    made = {str(endpoint.status): {"description": endpoint.does, "content": {kind: {"schema": schema}}}}
    refusals = {*ANY, *endpoint.refusals}
    refusals |= {400, 408, 413} if endpoint.takes is not None else set()
    refusals |= {400} if endpoint.query is not None else set()
    for status in sorted(refusals):
        content = {"application/json": {"schema": _ref(Problem)}}
        made[str(status)] = {"description": REASONS[status], "content": content}
    return made
