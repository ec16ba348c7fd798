"""Reads a generated log of a web server and prints the times of each page and hour."""
import collections
import datetime
import json
import random
import re
import statistics

LINE = re.compile(r'(?P<host>\S+) - - \[(?P<time>[^]]+)\] "(?P<method>\w+) (?P<path>\S+) HTTP/1\.1" (?P<status>\d+) (?P<rest>.*)')


def generate(count):
    """Yields lines of a log."""
    numbers = random.Random(1)
    start = datetime.datetime(2024, 5, 1, tzinfo=datetime.timezone.utc)
    for i in range(count):
        time = start + datetime.timedelta(seconds=i)
        page = numbers.choice(("/", "/search?q=flame", "/orders/17", "/static/logo.svg"))
        rest = json.dumps({"ms": round(numbers.expovariate(0.02), 2), "agent": "browser/1.0"})
        yield f'10.0.0.{i % 250} - - [{time:%d/%b/%Y:%H:%M:%S %z}] "GET {page} HTTP/1.1" {numbers.choice((200, 200, 404))} {rest}'


class Report:
    def __init__(self):
        self.times = collections.defaultdict(list)
        self.errors = collections.Counter()

    def parse(self, line):
        fields = LINE.match(line)
        if not fields:
            return
        time = datetime.datetime.strptime(fields["time"], "%d/%b/%Y:%H:%M:%S %z")
        path = fields["path"].partition("?")[0]
        if int(fields["status"]) >= 400:
            self.errors[path] += 1
        self.times[time.hour, path].append(json.loads(fields["rest"])["ms"])

    def summarize(self):
        """Yields (hour, path, median, 95th percentile)."""
        for (hour, path), times in sorted(self.times.items()):
            yield hour, path, statistics.median(times), statistics.quantiles(times, n=20)[-1]


def main():
    report = Report()
    for line in generate(60000):
        report.parse(line)
    for hour, path, median, most in report.summarize():
        print(f"{hour:02}:00 {path:20} {median:8.2f} ms, 95 %: {most:8.2f} ms, {report.errors[path]} errors")


main()
