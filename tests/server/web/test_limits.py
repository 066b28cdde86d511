"""Unit tests of buckets, socket limits and origins."""

import pytest

from endturn.server.transports.limits import MOST_ADDRESSES, Addresses, Bucket, Places, Rate
from endturn.server.transports.origins import Origins


def test_bucket_allows_a_burst_then_a_rate():
    bucket = Bucket(Rate(2, 3), now=10.0)
    assert [bucket.take(1, 10.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take(1, 10.5) == 0 and bucket.take(1, 10.5) == 0.5
    assert bucket.take(3, 100.0) == 0 and bucket.take(1, 100.0) > 0  # never more than the burst


def test_without_a_rate_there_is_no_limit():
    bucket = Bucket(Rate(0, 0), now=0.0)
    assert all(bucket.take(100, 0.0) == 0 for _ in range(100))


def test_each_address_has_its_own_bucket():
    addresses = Addresses(Rate(1, 1), now=lambda: 0.0)
    assert addresses.take("a") == 0 and addresses.take("a") == 1 and addresses.take("b") == 0
    for number in range(MOST_ADDRESSES):
        addresses.take(str(number))
    assert len(addresses._buckets) == MOST_ADDRESSES


def test_sockets_are_limited_in_total_and_per_address():
    places = Places(most=3, each=2)
    assert [places.enter(address) for address in "aaabb"] == [True, True, False, True, False]
    assert places.refusal("a") == "Too many sockets from your address (limit: 2). Close one first."
    assert places.refusal("b") == "The server has too many open sockets. Try again later."
    places.leave("a")
    assert places.enter("b") and places.open == 3


@pytest.mark.parametrize(
    ("host", "origin", "let_in"),
    [
        ("127.0.0.1:8000", None, True),
        ("localhost:8000", "http://localhost:8000", True),
        ("[::1]:8000", "http://[::1]:8000", True),
        ("192.168.1.5:8000", "http://192.168.1.5:8000", True),
        ("arena.example", "https://arena.example", True),
        ("localhost:8000", "https://arena.example", True),
        ("localhost:8000", "http://localhost:5173", False),
        ("localhost:8000", "null", False),
        ("evil.example:8000", "http://evil.example:8000", False),
        ("evil.example:8000", None, False),
        ("", None, False),
    ],
)
def test_own_pages_and_listed_origins_are_allowed(host, origin, let_in):
    origins = Origins(["https://arena.example/"], "127.0.0.1")
    assert (origins.refuse(host, origin) is None) == let_in
