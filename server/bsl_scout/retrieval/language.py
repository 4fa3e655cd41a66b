"""What else the words of a query may be called: translations and synonyms, loaded when they are first needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from bsl_scout.index.catalog import Catalog

from .dictionary import Dictionary, build_dictionary, built_in, mined, own_pairs
from .expansion import Group, expansions
from .synonyms import Synonyms, load_synonyms


class Language:
    """The dictionary and the synonyms of one index; those given stand for the built-in ones."""

    def __init__(self, dictionary: Dictionary | None = None, synonyms: Synonyms | None = None) -> None:
        self._own = dictionary
        self._synonyms = synonyms
        self.learnt = False

    @property
    def synonyms(self) -> Synonyms:
        """The synonyms and abbreviations."""
        if self._synonyms is None:
            self._synonyms = load_synonyms()[0]
        return self._synonyms

    @cached_property
    def _shipped(self) -> Dictionary:
        return build_dictionary(built_in())

    @property
    def dictionary(self) -> Dictionary:
        """The built-in dictionary, with what the configuration's own synonyms tell once they were learnt."""
        return self._own or self._shipped

    def learn(self, catalog: Catalog) -> None:
        """Take in the translations in the synonyms of a catalog's metadata; takes a fraction of a second."""
        self._own = build_dictionary(built_in(), mined(own_pairs(catalog)))
        self.learnt = True

    def groups(self, terms: Sequence[str]) -> list[Group]:
        """Return the terms of a query, each with what else it may be called, then synonyms with their own."""
        return expansions(terms, self.dictionary, self.synonyms)
