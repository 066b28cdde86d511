"""Limits per connection and per address: token buckets, and a count of open sockets."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

MOST_ADDRESSES = 10_000  # the least recently active address is forgotten first; its next bucket is full


class Rate(NamedTuple):
    """Requests per second on average, and the largest burst. A rate of 0 means no limit."""

    second: float
    burst: float


class Bucket:
    """A token bucket: tokens return over time, and each request takes some."""

    __slots__ = ("at", "rate", "tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self.rate, self.tokens, self.at = rate, rate.burst, now

    def take(self, cost: float, now: float) -> float:
        """Take tokens and return 0. With too few, take nothing and return the seconds until there are enough."""
        if self.rate.second <= 0:
            return 0.0
        self.tokens = min(self.rate.burst, self.tokens + (now - self.at) * self.rate.second)
        self.at = now
        if self.tokens < cost:
            return (cost - self.tokens) / self.rate.second
        self.tokens -= cost
        return 0.0


class Addresses:
    """A bucket for each address."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self._now = rate, now
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> float:
        """Take tokens of an address and return 0. With too few, take nothing and return the seconds to wait."""
        now = self._now()
        bucket = self._buckets.pop(address, None) or Bucket(self.rate, now)
        self._buckets[address] = bucket
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.take(cost, now)


class Budget:
    """An amount per second, of which one second's worth can be saved up.

    Every request is granted, with a waiting time. Clients that share a budget therefore queue, instead of all trying
    again at the same moment.
    """

    def __init__(self, second: float) -> None:
        self.second, self._spent_until = second, float("-inf")

    def spend(self, many: float, now: float) -> float:
        """Spend an amount, and return the seconds to wait before using it."""
        if self.second <= 0:
            return 0.0
        self._spent_until = max(self._spent_until, now - 1) + many / self.second
        return max(0.0, self._spent_until - now)


class Budgets:
    """A budget for each address."""

    def __init__(self, second: float) -> None:
        self._second = second
        self._budgets: OrderedDict[str, Budget] = OrderedDict()

    def of(self, address: str) -> Budget:
        """The budget that all connections from an address share."""
        budget = self._budgets.pop(address, None) or Budget(self._second)
        self._budgets[address] = budget
        if len(self._budgets) > MOST_ADDRESSES:
            self._budgets.popitem(last=False)
        return budget


class Places:
    """Counts open sockets, in total and per address."""

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each, self.open = most, each, 0
        self._by_address: dict[str, int] = {}

    def enter(self, address: str) -> bool:
        """Count a new socket and return True, or return False at a limit. Call `leave` when the socket closes."""
        here = self._by_address.get(address, 0)
        if self.open >= self.most or (self.each and here >= self.each):
            return False
        self.open += 1
        self._by_address[address] = here + 1
        return True

    def refusal(self, address: str) -> str:
        """Why `enter` returned False."""
        if self.each and self._by_address.get(address, 0) >= self.each:
            return f"Too many sockets from your address (limit: {self.each}). Close one first."
        return "The server has too many open sockets. Try again later."

    def leave(self, address: str) -> None:
        """Count a closed socket."""
        self.open -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
