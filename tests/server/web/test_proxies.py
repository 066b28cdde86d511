"""Trusted proxies: which address counts for the limits."""

import subprocess
import sys

import pytest

from endturn.server.transports.web.proxies import Proxies
from web_arena import START, arena


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "client"),
    [
        ((), "127.0.0.1", ["203.0.113.9"], "127.0.0.1"),
        (("127.0.0.1",), "203.0.113.1", ["203.0.113.9"], "203.0.113.1"),
        (("127.0.0.1",), "127.0.0.1", [], "127.0.0.1"),
        (("127.0.0.1",), "127.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        (("127.0.0.1",), "127.0.0.1", ["198.51.100.7, 203.0.113.9"], "203.0.113.9"),
        (("127.0.0.1",), "127.0.0.1", ["198.51.100.7", "203.0.113.9"], "203.0.113.9"),
        (("127.0.0.1", "10.0.0.0/8"), "127.0.0.1", ["203.0.113.9, 10.1.2.3"], "203.0.113.9"),
        (("10.0.0.0/8",), "10.0.0.1", ["10.0.0.2, 10.0.0.3"], "10.0.0.2"),
        (("127.0.0.1",), "127.0.0.1", ["203.0.113.9, nonsense"], "127.0.0.1"),
        (("127.0.0.1",), "127.0.0.1", ["203.0.113.9:4711"], "203.0.113.9"),
        (("::1",), "::1", ["[2001:db8::7]:4711"], "2001:db8::7"),
        (("127.0.0.1",), "::ffff:127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        (("127.0.0.1",), "?", ["203.0.113.9"], "?"),
    ],
)
def test_client_is_the_last_address_from_a_trusted_proxy(trusted, peer, forwarded, client):
    assert Proxies(trusted).client(peer, forwarded) == client


def login(server, address):
    """The status of a login that a proxy forwards for this address."""
    said = {"name": "ann", "password": "x" * 9}
    return server.web.post("/api/login", json=said, headers={"X-Forwarded-For": address}).status_code


def until_it_is_too_much(server, address):
    return any(login(server, address) == 429 for _ in range(40))


def test_limits_apply_to_the_forwarded_address(tmp_path):
    with arena(tmp_path, "--trusted-proxy", "127.0.0.1") as server:
        assert until_it_is_too_much(server, "203.0.113.1")
        assert login(server, "203.0.113.2") != 429


def test_no_proxy_is_trusted_by_default(tmp_path):
    with arena(tmp_path) as server:
        assert until_it_is_too_much(server, "203.0.113.1")
        assert login(server, "203.0.113.2") == 429


def test_invalid_proxy_is_one_clear_error():
    command = [sys.executable, "-c", START, "serve", "--trusted-proxy", "nginx"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == (
        "Not the address or network of a proxy: 'nginx'. Expected something like 127.0.0.1, ::1 or 10.0.0.0/8.\n"
    )
