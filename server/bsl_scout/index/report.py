"""What a refresh of an index did."""

from __future__ import annotations

from dataclasses import dataclass, field

from bsl_scout.configuration.chosen_roots import WrongRoot
from bsl_scout.configuration.layout import Problem, Root


@dataclass(slots=True)
class Changes:
    """How many chunks a refresh wrote, rewrote, removed and left alone."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0


@dataclass(slots=True)
class Report:
    """What a refresh did. `rebuilt` is the reason when an old index could not be used, `complete` is False
    when it was cancelled, `created` is True when there was no index before, `vectors` when all chunks have theirs.
    `generation` is that of the catalog afterwards. `wrong_roots` are the entries of `chosen` that could not be used;
    a refresh of some paths does not tell them.
    """

    roots: list[Root]
    files: int
    procedures: int
    objects: int
    forms: int
    code_chunks: int
    metadata_chunks: int
    changes: Changes
    seconds: float
    problems: list[Problem] = field(default_factory=list)
    rebuilt: str | None = None
    complete: bool = True
    created: bool = False
    vectors: bool = False
    generation: int = 0
    wrong_roots: list[WrongRoot] = field(default_factory=list)

    @property
    def has_sources(self) -> bool:
        """Whether there is a module, or a root of 1C sources that may have none."""
        return self.files > 0 or any(root.kind != "plain" for root in self.roots)

    @property
    def chunks(self) -> int:
        """All chunks of the index."""
        return self.code_chunks + self.metadata_chunks
