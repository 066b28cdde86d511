"""The server's metrics, for Prometheus."""

from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

TIMES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)


class Metrics:
    """Counters and response times of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "endturn_http_requests", "HTTP requests answered", ["endpoint", "status"], registry=self.registry
        )
        self.messages = Counter(
            "endturn_messages", "messages answered on sockets", ["kind", "answer"], registry=self.registry
        )
        self.acting = Histogram(
            "endturn_action_seconds",
            "time from an action's arrival to its answer",
            buckets=TIMES,
            registry=self.registry,
        )
        self.sockets = Gauge("endturn_sockets", "open sockets", registry=self.registry)
        self.dropped = Counter(
            "endturn_dropped", "sockets closed because they did not read", registry=self.registry
        )
        self.rooms = Gauge("endturn_rooms", "matches in memory", registry=self.registry)
        self.asleep = Gauge("endturn_asleep", "unfinished matches in the archive", registry=self.registry)
        self.commits = Gauge("endturn_commits", "transactions of the journal", registry=self.registry)
        self.written = Gauge("endturn_written", "writes of the journal", registry=self.registry)

    @cache  # noqa: B019  (one instance per server)
    def _answers(self, kind: object, answer: object) -> Counter:
        return self.messages.labels(kind, answer)

    def answered(self, kind: object, answer: object) -> None:
        """Count a message and its answer, by kind."""
        self._answers(kind, answer).inc()

    def text(self) -> bytes:
        """All metrics in the format of Prometheus."""
        return generate_latest(self.registry)
