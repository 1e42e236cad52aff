# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of a run."""

from __future__ import annotations

import collections
from collections.abc import Sequence

from . import model
from .properties import Outcome


def print_report(outcomes: Sequence[Outcome], seconds: float) -> None:
    """Prints how many programs came to what, and the refusals by code."""
    rate = len(outcomes) / seconds if seconds else 0.0
    print(f"{len(outcomes)} programs in {seconds:.1f} s ({rate:.1f} a second)")
    counts = collections.Counter(o.failure or o.status for o in outcomes)
    for name, count in counts.most_common():
        print(f"{count:7} {name}")
    changed = counts["accepted"] + counts["refused"]
    if changed:
        share = 100 * counts["accepted"] / changed
        print(f"{share:6.1f}% accepted of those that are not unchanged")
    warned = collections.Counter(
        code for o in outcomes if o.status != "refused" for code in o.codes
    )
    refused = collections.Counter(
        code for o in outcomes if o.status == "refused" for code in o.codes
    )
    for title, codes in (("refused with", refused), ("warned with", warned)):
        for code, count in codes.most_common():
            print(f"{count:7} {title} [{code}]")
    facts = collections.Counter(fact for o in outcomes for fact in o.facts)
    for fact, count in facts.most_common():
        print(f"{count:7} {fact}")
    _print_differences(facts)


def _print_differences(facts: collections.Counter[str]) -> None:
    """How often the model sees what the pass had to do."""
    differs, later = facts[model.DIFFERS], facts[model.DIFFERS_LATER]
    total = differs + later + facts[model.AGREES]
    if total:
        print(f"{100 * differs / total:6.1f}% of what was changed {model.DIFFERS}")
        print(f"{100 * later / total:6.1f}% of what was changed {model.DIFFERS_LATER}")
