"""Open documents that are not as the index has them, cut and turned into words before anything is asked of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bsl_scout.bsl.chunks import Chunk, outline
from bsl_scout.bsl.text import content_hash, decode
from bsl_scout.configuration.layout import Layout, ModuleAddress, is_ignored, is_module, module_address

from .catalog import Catalog
from .context import Contexts
from .metadata import Entry
from .words import code_entries


@dataclass(frozen=True, slots=True)
class Home:
    """What an index knows of a module, or would know of a new one: root, address, synonyms of what it belongs to.

    `digest` is that of its saved text, None when the index has none; `hashes` are those of its chunks.
    """

    root: str
    address: ModuleAddress
    context: str
    digest: bytes | None
    hashes: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class Unsaved:
    """A document: its text with the hash of that, its whole chunks in order, and what is stored of new ones, by key."""

    home: Home
    text: str
    digest: bytes
    chunks: tuple[Chunk, ...]
    entries: dict[str, list[Entry]]

    def entries_of(self, chunk: Chunk) -> list[Entry]:
        """Return what a chunk of the document is stored as."""
        return self.entries.get(chunk.key) or code_entries(chunk, self.home.address)


def home_of(catalog: Catalog, path: str) -> Home | None:
    """Return what an index knows of the module at a path, None when it would never have that."""
    row = catalog.files_at([path]).get(path)
    if row:
        address = ModuleAddress(row.owner, row.module, row.words)
        hashes = frozenset(version[2] for version in catalog.chunk_versions(row.id))
        return Home(row.root, address, row.context or "", row.hash, hashes)
    layout = Layout(catalog.roots())
    if not is_module(path) or is_ignored(path) or not layout.has_root(path):
        return None
    root = layout.root_of(path)
    address = module_address(path, root)
    return Home(root.id, address, Contexts(catalog).of(root.id, address.owner), None, frozenset())


def unsaved(home: Home, text: str, before: Unsaved | None = None) -> Unsaved | None:
    """Return a document with this text, None when the index has that already; `before` is what it was last."""
    # as it will be read from the disk
    text = decode(text.encode("utf-8", errors="replace")).text
    digest = content_hash(text)
    if digest == home.digest:
        return None
    known = before.entries if before and before.home.address == home.address else {}
    chunks = outline(text)
    new = (chunk for chunk in chunks if chunk.hash not in home.hashes)
    entries = {chunk.key: _moved(known.get(chunk.key), chunk) or code_entries(chunk, home.address) for chunk in new}
    return Unsaved(home, text, digest, tuple(chunks), entries)


def _moved(entries: list[Entry] | None, chunk: Chunk) -> list[Entry]:
    """Return the entries of the same chunk at its present lines, none when they are of another."""
    if not entries or entries[0].chunk.hash != chunk.hash:
        return []
    shift = chunk.line - entries[0].chunk.line
    return [replace(entry, chunk=_shifted(entry.chunk, shift)) for entry in entries] if shift else entries


def _shifted(part: Chunk, shift: int) -> Chunk:
    return replace(
        part,
        line=part.line + shift,
        end_line=part.end_line + shift,
        top_line=part.top_line + shift,
        text_line=part.text_line + shift,
    )
