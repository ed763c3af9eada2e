"""A verb at many points: on the threads of this machine, or on a cluster of Dask or Ray.

What travels to a worker is the text of the model, what is varied, and two numbers: the first and the last point of a chunk. What comes
back is a table of Arrow. A point has the same digits wherever it is computed, and each is computed once in the answer: a chunk
whose worker dies is sent out again.
"""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _engine
from ._answer import Answer, Record, _no

#: So many seconds of work are in a chunk, at least.
_SECONDS = 1.0
#: More points are not in a chunk.
_MOST = 65_536
#: So many points are in a file.
_PART = 1024


class Sweep(Answer):
    """What was computed at many points: a table with `point`, what was varied, the results, and `error`.

    `swept["x"]` is a column as an array, `to_arrow()` and `to_pandas()` the table. A point without an answer is a row
    with its reason in `error`; `failed` counts them.
    """

    points: int
    failed: int
    reasons: list[Record]
    parts: list[str]
    columns: list[str]
    stopped: bool

    def __init__(self, written: str, page: str, exit_code: int, table: Any) -> None:
        super().__init__(written, page, exit_code)
        self._table = table

    def to_arrow(self) -> Any:
        """The table of pyarrow; of a sweep that went to a folder, it is read from there."""
        if self._table is None:
            import pyarrow as pa
            import pyarrow.parquet as pq

            self._table = pa.concat_tables([pq.read_table(part, partitioning=None) for part in self.parts])
        return self._table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """A data frame, the number of the point as its index."""
        return self.to_arrow().to_pandas().set_index("point")

    def to_parquet(self, path: Any) -> None:
        """Writes one Parquet file."""
        import pyarrow.parquet as pq

        pq.write_table(self.to_arrow(), path)

    def keys(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name not in self.columns:
            raise KeyError(_no(name, self.columns))
        column: npt.NDArray[Any] = self.to_arrow().column(name).to_numpy()
        return column

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __len__(self) -> int:
        return int(self.points)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def _ipython_key_completions_(self) -> list[str]:
        return self.keys()

    def _html(self) -> str:
        import html

        page = f"<pre>{html.escape(self.page)}</pre>"
        try:
            return f"{self.to_pandas().head(10).to_html(border=0)}{page}"
        except ImportError:
            return page


def varied(vary: Any) -> str | None:
    """What is varied, as the command line says it: `{"m": [1, 2], "k": "0..1:5", "a": "uniform(-1, 1):9"}`."""
    if vary is None or isinstance(vary, str):
        return vary
    if not isinstance(vary, Mapping):
        raise TypeError(f"what is varied is a dictionary, a text or a data frame, not a {type(vary).__name__}")
    items = []
    for name, values in vary.items():
        if isinstance(values, str):
            items.append(f"{name}{'~' if '(' in values else '='}{values}")
            continue
        numbers = np.atleast_1d(np.asarray(values, dtype=float))
        if numbers.ndim != 1 or numbers.size == 0:
            raise ValueError(f"the values of {name!r} have the shape {numbers.shape}; a list of numbers is needed")
        if not np.all(np.isfinite(numbers)):
            raise ValueError(f"the values of {name!r} hold a number that is not finite")
        items.append(f"{name}={'|'.join(repr(float(one)) for one in numbers)}")
    return ", ".join(items)


def is_table(given: Any) -> bool:
    """Whether it is a data frame or a table of Arrow."""
    return hasattr(given, "column_names") or (hasattr(given, "columns") and hasattr(given, "__getitem__"))


def pointed(points: Any) -> str | None:
    """Points one by one as CSV: from a data frame, a table of Arrow, arrays by name, a path or a text."""
    if points is None or isinstance(points, str):
        return points
    if isinstance(points, os.PathLike):
        return Path(points).read_text(encoding="utf-8")
    if isinstance(points, Mapping):
        names, column = list(points), points.__getitem__
    elif hasattr(points, "column_names"):
        names, column = list(points.column_names), points.column
    elif is_table(points):
        names, column = list(points.columns), points.__getitem__
    else:
        raise TypeError(f"points are a data frame, a table, arrays by name, or a path of CSV, not a {type(points).__name__}")
    arrays = [np.atleast_1d(np.asarray(column(name), dtype=float)) for name in names]
    lengths = {len(one) for one in arrays}
    if len(lengths) > 1:
        raise ValueError(f"the columns of the points have different lengths: {', '.join(map(str, sorted(lengths)))}")
    return _csv([str(name) for name in names], np.column_stack(arrays) if arrays else np.empty((0, 0)))


def _csv(names: Sequence[str], values: npt.NDArray[np.float64]) -> str:
    rows = (",".join(repr(one) for one in row) for row in values.tolist())
    return "\n".join([",".join(names), *rows]) + "\n"


def _read(parts: Sequence[bytes]) -> Any:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ImportError("the table of a sweep needs pyarrow: pip install pyarrow") from None
    return pa.concat_tables([pq.read_table(io.BytesIO(part)) for part in parts])


def on_threads(
    engine: _engine.Model, question: dict[str, Any], follower: Callable[[str, float], object] | None, resume: bool
) -> Sweep:
    """By the threads of this machine."""
    asked = {**question, "resume": True} if resume else question
    written, page, code, parts = engine.sweep(json.dumps(asked, allow_nan=False), follower)
    return Sweep(written, page, code, _read(parts) if parts else None)


def chunk(request: str, question: dict[str, Any], first: int, last: int, points: str | None = None) -> Any:
    """The rows of some points, as a table of Arrow: what a worker does. Without `points`, their values follow from the design."""
    import pyarrow as pa

    asked = {key: value for key, value in question.items() if key not in ("vary", "points", "out")}
    asked |= {"points": points if points is not None else _rows(question, first, last), "threads": 1}
    parts = _engine.Model(request).sweep(json.dumps(asked, allow_nan=False))[3]
    table = _read(parts)
    return table.set_column(0, table.schema.field(0), pa.array(np.arange(first, last)))


def _rows(question: Mapping[str, Any], first: int, last: int) -> str:
    _, names, values = _engine.design(json.dumps(_design(question)), first, last)
    return _csv(names, values)


def _design(question: Mapping[str, Any]) -> dict[str, Any]:
    return {key: question[key] for key in ("vary", "points", "seed") if question.get(key) is not None}


def _sized(request: str, question: dict[str, Any], points: int) -> int:
    """How many points are at least a second's work: a power of two, from the time of the first ones, not from the workers."""
    count, spent = 1, 0.0
    while True:
        before = time.process_time()
        chunk(request, question, 0, min(count, points))
        spent = time.process_time() - before
        if spent > _SECONDS / 8 or count >= points or count >= _MOST:
            break
        count *= 4
    wanted = count * _SECONDS / max(spent, 1e-9)
    size = 1
    while size < min(wanted, _MOST):
        size *= 2
    return size


def on_cluster(
    on: Any,
    request: str,
    question: dict[str, Any],
    follower: Callable[[str, float], object] | None,
    size: int | None,
) -> Sweep:
    """By the workers of a cluster: chunks go out, tables come back in any order."""
    points, _, _ = _engine.design(json.dumps(_design(question)), 0, 0)
    # what is wrong with the question is told here, not by a worker
    first = chunk(request, question, 0, 1)
    if size is None:
        size = _sized(request, question, points)
    ranges = [(begin, min(begin + size, points)) for begin in range(0, points, size)]
    out = question.get("out")
    folder = _Folder(Path(out), first.schema, question, points) if out is not None else None
    tables: dict[int, Any] = {}
    done = 0
    workers = _ray if isinstance(on, str) and on == "ray" else _dask
    # a table of points does not travel as a whole with every chunk
    rows = (lambda begin, end: _rows(question, begin, end)) if question.get("points") is not None else (lambda *_: None)
    sent = {key: value for key, value in question.items() if key not in ("points", "out")}
    tasks = ((request, sent, begin, end, rows(begin, end)) for begin, end in ranges)
    for begin, table in workers(on, tasks):
        tables[begin] = table
        done += table.num_rows
        if folder is not None:
            folder.take(tables)
        if follower is not None and follower("points", done / points) is False:
            break
    if folder is not None:
        folder.close(done == points)
    name = str(json.loads(_engine.Model(request).told())["file"])
    if folder is not None:
        return _told(name, points, done, folder.told, folder.parts, folder.columns, None)
    import pyarrow as pa

    table = pa.concat_tables([tables[begin] for begin in sorted(tables)]) if tables else first.slice(0, 0)
    table = table.replace_schema_metadata(_facts(table.schema, question))
    failed = _Failed()
    failed.count(table)
    return _told(name, points, done, failed, [], table.column_names, table)


def _told(
    name: str, points: int, done: int, failed: _Failed, parts: list[str], columns: list[str], table: Any
) -> Sweep:
    """What is said of a sweep on a cluster, in the words of the command line."""
    data = {"model": name, "points": points, "failed": failed.failed, "reasons": failed.reasons, "parts": parts}
    data |= {"kept": 0, "columns": columns, "stopped": done < points}
    page = [f"{name}: {points} points"]
    if done < points:
        page.append("Stopped before the end.")
    if parts:
        last = f" to {parts[-1]}" if len(parts) > 1 else ""
        page.append(f"{len(parts)} part{'s' if len(parts) > 1 else ''}: {parts[0]}{last}")
    page.append(f"Columns: {', '.join(columns)}")
    if failed.failed:
        page.append(f"{failed.failed} points have no answer; the column `error` says why:")
        page.extend(f"  point {one['point']}: {one['reason']}" for one in failed.reasons)
    code = 3 if done < points or failed.failed == points else 0
    return Sweep(json.dumps(data), "\n".join(page), code, table)


class _Failed:
    """Points without an answer, and their first reasons."""

    def __init__(self) -> None:
        self.failed = 0
        self.reasons: list[dict[str, Any]] = []

    def count(self, table: Any) -> None:
        errors, points = table.column("error").to_pylist(), table.column("point").to_pylist()
        for point, error in zip(points, errors):
            if error is None:
                continue
            self.failed += 1
            if len(self.reasons) < 5 and all(one["reason"] != error for one in self.reasons):
                self.reasons.append({"point": point, "reason": error})


def _facts(schema: Any, question: Mapping[str, Any]) -> dict[bytes, bytes]:
    """What a table says about itself: that of its chunks, without what is true of a chunk alone."""
    facts = {key: value for key, value in (schema.metadata or {}).items() if key not in (b"anholon.job", b"anholon.failed")}
    facts[b"anholon.vary"] = str(question.get("vary") or "").encode()
    return facts


class _Folder:
    """Parquet files of 1024 points each, written as soon as their points are there."""

    def __init__(self, path: Path, schema: Any, question: Mapping[str, Any], points: int) -> None:
        self.path, self.points = path, points
        self.schema = schema.with_metadata(_facts(schema, question))
        self.columns: list[str] = list(schema.names)
        self.parts: list[str] = []
        self.told = _Failed()
        self._next = 0
        self._waiting: list[Any] = []
        there = self._file(0)
        if there.exists():
            raise FileExistsError(f"{there} is there already: choose another folder with out=…")

    def _file(self, part: int) -> Path:
        return self.path / f"part-{part:05}.parquet"

    def take(self, tables: dict[int, Any]) -> None:
        """Takes what follows without a gap."""
        import pyarrow as pa

        while self._next in tables:
            table = tables.pop(self._next)
            self._next += table.num_rows
            self._waiting.append(table)
        count = sum(table.num_rows for table in self._waiting)
        if count < _PART:
            return
        whole, at = pa.concat_tables(self._waiting), 0
        while whole.num_rows - at >= _PART:
            self._write(whole.slice(at, _PART))
            at += _PART
        self._waiting = [whole.slice(at)]

    def close(self, is_whole: bool) -> None:
        """Writes the rest, if nothing is missing."""
        import pyarrow as pa

        if is_whole and self._waiting and (rest := pa.concat_tables(self._waiting)).num_rows:
            self._write(rest)
        self._waiting = []

    def _write(self, table: Any) -> None:
        import pyarrow.parquet as pq

        self.told.count(table)
        file = self._file(len(self.parts))
        beside = file.with_suffix(".new")
        self.path.mkdir(parents=True, exist_ok=True)
        pq.write_table(table.replace_schema_metadata(self.schema.metadata), beside)
        os.replace(beside, file)
        self.parts.append(str(file))


#: The arguments of `chunk`.
_Task = tuple[str, dict[str, Any], int, int, "str | None"]


def _dask(on: Any, tasks: Iterator[_Task]) -> Iterator[tuple[int, Any]]:
    """By Dask: a client that was given, the one that is there, or a cluster of this machine that ends with the sweep."""
    try:
        import distributed
    except ImportError:
        raise ImportError('on="dask" needs dask.distributed: pip install "dask[distributed]"') from None
    cluster = None
    client = on
    if isinstance(on, str):
        try:
            client = distributed.default_client()
        except ValueError:
            cluster = _own_cluster(distributed)
            client = distributed.Client(cluster)
    try:
        futures = {client.submit(chunk, *task, pure=False): task[2] for task in tasks}
        try:
            waiting = distributed.as_completed(futures)
            for future in waiting:
                table = future.result()
                begin = futures.pop(future)
                future.release()
                yield begin, table
        finally:
            client.cancel(list(futures))
    finally:
        if cluster is not None:
            client.close()
            cluster.close()


def _own_cluster(distributed: Any) -> Any:
    """Workers of this machine. As programs of their own they do not run the script that asks, which need not guard its main part."""
    if os.name == "nt":
        return distributed.LocalCluster(threads_per_worker=1, processes=True, dashboard_address=None)
    from distributed.deploy.subprocess import SubprocessCluster

    return SubprocessCluster(threads_per_worker=1, dashboard_address=None)


def _ray(on: Any, tasks: Iterator[_Task]) -> Iterator[tuple[int, Any]]:
    """By Ray: where it is not running, it is started for the sweep."""
    try:
        import ray
    except ImportError:
        raise ImportError('on="ray" needs Ray: pip install ray') from None
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        # a task whose worker dies is done again; an error of the task itself is not
        work = ray.remote(max_retries=20)(chunk)
        waiting = {work.remote(*task): task[2] for task in tasks}
        try:
            while waiting:
                done, _ = ray.wait(list(waiting), num_returns=1, timeout=1.0)
                for one in done:
                    yield waiting[one], ray.get(one)
                    waiting.pop(one)
        finally:
            for one in waiting:
                ray.cancel(one, force=True)
    finally:
        if is_ours:
            ray.shutdown()
