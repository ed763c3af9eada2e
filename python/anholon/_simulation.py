"""A motion: columns as NumPy arrays, and the ways to tables and pictures."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _engine
from ._answer import Answer, Record, _no, read

Array = npt.NDArray[np.float64]


class Simulation(Answer):
    """A motion. `sim.t` is the time, `sim["x"]` a column; read-only arrays that share the engine's memory.

    Other attributes are those of the JSON of the command line: `events`, `final_`, `energy_drift`, `stopped_by`, …
    """

    form: str
    method: str
    tolerance: float
    steps: int
    events: list[Record]
    energy_drift: float
    constraint_residual: float
    stopped_by: str
    failure: str | None
    expects: list[Record]

    def __init__(self, engine: _engine.Simulation) -> None:
        super().__init__(engine.told, engine.text, engine.code)
        # what travels: not the engine's own object, whose chart is lost then
        self._engine: _engine.Simulation | None = engine
        self._all: Array = engine.data
        #: The names of the columns.
        self.columns: list[str] = engine.columns
        #: Their units, by name.
        self.units: dict[str, str] = dict(zip(self.columns, engine.units))
        self._place = {name: k + 1 for k, name in enumerate(self.columns)}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engine": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._all.flags.writeable = False

    @property
    def t(self) -> Array:
        """The instants."""
        return self._row(0)

    def _row(self, place: int) -> Array:
        row: Array = self._all[place]
        return row

    def __getitem__(self, name: str) -> Array:
        if name == "t":
            return self.t
        try:
            return self._row(self._place[name])
        except KeyError:
            raise KeyError(_no(name, ["t", *self.columns])) from None

    def __contains__(self, name: object) -> bool:
        return name == "t" or name in self._place

    def __len__(self) -> int:
        return int(self._all.shape[1])

    def __bool__(self) -> bool:
        return self.ok

    def keys(self) -> list[str]:
        """The names of all columns, the time first."""
        return ["t", *self.columns]

    def _ipython_key_completions_(self) -> list[str]:
        return self.keys()

    def to_dict(self) -> dict[str, Array]:
        """All columns by name."""
        return {name: self[name] for name in self.keys()}

    def to_pandas(self) -> Any:
        """A data frame with the time as its index."""
        import pandas as pd

        return pd.DataFrame({name: self[name] for name in self.columns}, index=pd.Index(self.t, name="t"))

    def to_arrow(self) -> Any:
        """A table of pyarrow; units are in the metadata of the fields."""
        import pyarrow as pa

        unit = {"t": "s", **self.units}
        fields = [pa.field(name, pa.float64(), metadata={"unit": unit[name]}) for name in self.keys()]
        return pa.table([pa.array(self[name]) for name in self.keys()], schema=pa.schema(fields))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_parquet(self, path: Any) -> None:
        """Writes a Parquet file; doubles are split by bytes, which makes them small."""
        import pyarrow.parquet as pq

        names = self.keys()
        pq.write_table(self.to_arrow(), path, use_dictionary=False, column_encoding={name: "BYTE_STREAM_SPLIT" for name in names})

    def to_xarray(self) -> Any:
        """A dataset along the time."""
        import xarray as xr

        def variable(name: str) -> Any:
            return ("t", self[name], {"units": self.units[name]} if self.units[name] else {})

        return xr.Dataset({name: variable(name) for name in self.columns}, coords={"t": ("t", self.t, {"units": "s"})})

    def plot(self, *columns: str, against: str = "t", ax: Any = None) -> Any:
        """Draws columns with matplotlib, the coordinates if none are named; gives the axes."""
        import matplotlib.pyplot as plt

        names = list(columns) or self._usual()
        axes = ax if ax is not None else plt.subplots()[1]
        for name in names:
            axes.plot(self[against], self[name], label=name)
        units = {self.units.get(name, "") for name in names}
        axes.set_xlabel("t [s]" if against == "t" else _labelled(against, self.units[against]))
        if len(names) == 1:
            axes.set_ylabel(_labelled(names[0], self.units.get(names[0], "")))
        elif len(units) == 1:
            axes.set_ylabel(f"[{units.pop() or '1'}]")
        axes.legend()
        return axes

    def svg(self, *columns: str, against: str | None = None) -> str:
        """The engine's own chart of columns, the coordinates if none are named."""
        if self._engine is None:
            raise ValueError("a motion that was pickled has no chart of the engine any more; plot() draws it")
        return self._engine.svg(list(columns) or self._usual(), against)

    def film(self, path: Any = None) -> str | None:
        """The mechanism as it moves, as a page of HTML that needs no network; written to `path`, if there is one.

        It is the viewer of the studio where the package was built with it, else a film of lines; None for a model without points.
        """
        if self._engine is None:
            raise ValueError("a motion that was pickled has no film any more: run it again")
        page = self._engine.film()
        if path is not None:
            if page is None:
                raise ValueError("the model has no points that could be drawn")
            from pathlib import Path

            Path(path).write_text(page, encoding="utf-8")
        return page

    def _usual(self) -> list[str]:
        return [name for name in self.columns if not set("'(.") & set(name)][:8] or self.columns[:8]

    def _html(self) -> str:
        drawn = self.svg() if len(self) > 1 and self._engine is not None else ""
        film = self.film() if drawn else None
        moving = ""
        if film is not None:
            # in a frame of its own: styles and names do not meet those of the notebook
            frame = 'sandbox="allow-scripts" style="width:100%;height:560px;border:0" title="the mechanism as it moves"'
            moving = f'<iframe {frame} srcdoc="{html.escape(film, quote=True)}"></iframe>'
        return f"{moving}{drawn}<pre>{html.escape(self.page)}</pre>"


def _labelled(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def simulation(engine: _engine.Simulation) -> Simulation:
    """A motion, with a warning if it ended before its time."""
    import warnings

    from ._errors import IncompleteWarning

    sim = Simulation(engine)
    failure = sim.data.get("failure")
    if failure:
        last = sim.data["final"].get("t")
        warnings.warn(f"the motion went no further than t = {last} s: {failure}", IncompleteWarning, stacklevel=3)
    return sim


__all__ = ["Simulation", "read", "simulation"]
