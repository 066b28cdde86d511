"""How much one connection or one address may ask: token buckets, and a count of open sockets."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

MOST_ADDRESSES = (
    10_000  # remembered; the one that asked longest ago is forgotten first, its bucket full again
)


class Rate(NamedTuple):
    """So many a second on the average, and so many at once; 0 a second is no limit."""

    second: float
    burst: float


class Bucket:
    """Tokens that fill up with time; each request takes some."""

    __slots__ = ("at", "rate", "tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self.rate, self.tokens, self.at = rate, rate.burst, now

    def take(self, cost: float, now: float) -> float:
        """Take tokens: 0 where there were enough, else the seconds until there will be, and nothing is taken."""
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
        """Seconds that this address has to wait; 0 is no wait, and the tokens are taken."""
        now = self._now()
        bucket = self._buckets.pop(address, None) or Bucket(self.rate, now)
        self._buckets[address] = bucket
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.take(cost, now)


class Budget:
    """So many a second, of which a second's worth is saved up. Who asks for more has it, and waits for its turn: many
    who share a budget and are told to wait do not all come back at once."""

    def __init__(self, second: float) -> None:
        self.second, self._spent_until = second, float("-inf")

    def spend(self, many: float, now: float) -> float:
        """Seconds to wait before so many may be used."""
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
        """The one that all of an address share."""
        budget = self._budgets.pop(address, None) or Budget(self._second)
        self._budgets[address] = budget
        if len(self._budgets) > MOST_ADDRESSES:
            self._budgets.popitem(last=False)
        return budget


class Places:
    """How many sockets are open: in all, and from each address."""

    def __init__(self, most: int, each: int) -> None:
        self.most, self.each, self.open = most, each, 0
        self._by_address: dict[str, int] = {}

    def enter(self, address: str) -> bool:
        """Whether there was a place; whoever gets one must leave it."""
        here = self._by_address.get(address, 0)
        if self.open >= self.most or (self.each and here >= self.each):
            return False
        self.open += 1
        self._by_address[address] = here + 1
        return True

    def refusal(self, address: str) -> str:
        """Why there is no place for an address."""
        if self.each and self._by_address.get(address, 0) >= self.each:
            return f"One address can have {self.each} sockets open here: close one of yours first."
        return "There are as many sockets open as this server can hold: try again later."

    def leave(self, address: str) -> None:
        """A place is free again."""
        self.open -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
