"""The OpenAPI document, the endpoints it describes, and the TypeScript types."""

import asyncio
from pathlib import Path

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from endturn import protocol
from endturn.cli.generated import generated
from endturn.server.transports.web import ENDPOINTS
from endturn.server.transports.web.openapi import document
from endturn.server.typescript import structs, typescript
from web_arena import tokens

ROOT = Path(__file__).parents[3]


def test_generated_files_are_current():
    stale = [str(path) for path, text in generated() if (ROOT / path).read_text(encoding="utf-8") != text]
    assert stale == [], "run: endturn types"


def test_schema_of_views_is_served(server):
    answer = server.web.get("/api/games/anarchy/schema")
    assert answer.headers["content-type"] == "application/schema+json"
    assert "buildings" in answer.json()["$defs"]["CityView"]["properties"]
    assert server.web.get("/api/games/chess/schema").status_code == 404


def test_every_message_has_a_typescript_type():
    for struct in structs():
        assert f"export interface {struct.__name__} {{" in typescript()
    for kind in (*protocol.Said.__args__, *protocol.Told.__args__):
        assert f'  type: "{kind.__struct_config__.tag}";' in typescript()


def test_only_client_fields_with_defaults_are_optional():
    assert "  since?: number;" in typescript()
    assert "  known: number;" in typescript()


def test_document_lists_every_endpoint(server):
    served = server.web.get("/openapi.json").json()
    assert served == msgspec.json.decode(msgspec.json.encode(document(ENDPOINTS)))
    assert {(path, method) for path, ways in served["paths"].items() for method in ways} == {
        (endpoint.path, endpoint.method.lower()) for endpoint in ENDPOINTS
    }
    assert {"Said", "Told", "Welcome", "NewMatch", "Problem"} <= set(served["components"]["schemas"])


schema = schemathesis.openapi.from_dict(msgspec.json.decode(msgspec.json.encode(document(ENDPOINTS))))


@schema.parametrize()
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_endpoints_match_the_document(case, server):
    case.call_and_validate(base_url=server.url)


@pytest.mark.parametrize("path", ["", "/replay", "/verify", "/gamelog"])
def test_finished_match_endpoints_match_the_document(server, path):
    created = server.create()

    async def play():
        async with server.join(created["match"]["id"], tokens(created)[0]) as ann:
            await ann.act("mark", number=3)
            await ann.ask("resign")

    asyncio.run(play())
    case = schema[f"/api/matches/{{id}}{path}"]["GET"].Case(path_parameters={"id": created["match"]["id"]})
    assert case.call_and_validate(base_url=server.url).status_code == 200
