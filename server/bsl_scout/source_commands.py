"""The commands that read the sources and need no index: objects and forms."""

from __future__ import annotations

import argparse

from bsl_scout import output
from bsl_scout.arguments import DONE, AbsentError, CommandError
from bsl_scout.configuration.layout import Layout, Problem, walk
from bsl_scout.configuration.model import MetadataObject
from bsl_scout.configuration.objects import read_objects
from bsl_scout.features.objects import named_objects, nearest_objects
from bsl_scout.forms.places import find_forms


def walk_sources(arguments: argparse.Namespace) -> Layout:
    """Return what lies in ROOT; raises AbsentError when that is no sources, OSError when it cannot be read."""
    output.print_empty((layout := walk(arguments.root, arguments.chosen)).wrong)
    if not layout.has_sources:
        output.print_problems(layout.problems)
        raise AbsentError(output.NO_SOURCES)
    return layout


def objects(arguments: argparse.Namespace) -> int:
    """List the metadata objects, or show the one that is named; return the exit code."""
    found, problems = _read_objects(arguments)
    if arguments.name:
        named = named_objects(found, arguments.name)
        if not named:
            similar = nearest_objects(found, arguments.name)
            raise AbsentError(output.absent(f"there is no object {arguments.name}", similar))
        found = named
    if arguments.json:
        output.print_json([output.object_json(item, whole=bool(arguments.name)) for item in found])
    else:
        for item in found:
            output.print_object(item, whole=bool(arguments.name))
        output.print_problems(problems)
    return DONE


def forms(arguments: argparse.Namespace) -> int:
    """List the forms; return the exit code."""
    try:
        layout = walk_sources(arguments)
        places = find_forms(arguments.root, layout.roots)
    except OSError as error:
        raise unreadable(arguments, error) from error
    if arguments.json:
        output.print_json([output.place_json(place) for place in places])
    else:
        for place in places:
            print(f"{place.id}\t{place.path}")
        output.print_problems(layout.problems)
    return DONE


def _read_objects(arguments: argparse.Namespace) -> tuple[list[MetadataObject], list[Problem]]:
    try:
        layout = walk_sources(arguments)
        found, problems = read_objects(arguments.root, layout.roots)
    except OSError as error:
        raise unreadable(arguments, error) from error
    return found, layout.problems + problems


def unreadable(arguments: argparse.Namespace, error: OSError) -> CommandError:
    """Return that ROOT cannot be read, without its path."""
    # str(error) would tell absolute paths
    reason = error.strerror or type(error).__name__
    return CommandError(f"cannot read {arguments.root.name or arguments.root}: {reason}")
