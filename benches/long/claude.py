#!/usr/bin/env python3
"""Fits the weights of src/tokens/claude.rs, by hand, when the reference or the features change.

    cargo bench --bench tokens -- --features LIST > FEATURES
    claude.py FEATURES LIST

LIST has a path and a content type a line, with a tab between. Needs Python 3.13, scipy and ctok 1.3.0: an unofficial
reconstruction of Claude's counts, which is no part of this project. Texts are halved by the hash of their path: one half is
fitted, the other only checked. Prints the weights as thousandths, then the errors by content type.
"""

import hashlib
import sys

import ctok
import numpy as np
from scipy.optimize import linprog, nnls
from scipy.sparse import csr_matrix, hstack, identity

VERSION = "4.8"  # the vocabulary of 4.7, with a frame that takes no space
SHORTEST = 200  # bytes; shorter texts are neither fitted nor checked
WORST = 0.01  # error of the worst text fitted: others may be worse, by the two in a hundred that are allowed
SHORTFALL = 12.0  # what a token too few costs against one too many, before the margin
ROWS, COLUMNS = 11, 6
WORDS = ROWS * COLUMNS
# What a feature costs at least, whatever the sample says: other texts may be made of it alone.
LEAST = {WORDS + 24: 0.95, WORDS + 25: 0.6, WORDS + 26: 0.6, WORDS + 22: 1.0, WORDS + 38: 1.0}
LEAST |= dict.fromkeys(range(WORDS), 1.0) | dict.fromkeys(range(WORDS + 14, WORDS + 22, 2), 1.0)
LEAST |= dict.fromkeys(range(WORDS + 27, WORDS + 35), 0.7)


def reference(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        text = file.read()
    frame = sum(token == ctok.constants.PAD for token in ctok.tokenize("", VERSION))
    return ctok.token_count(text, VERSION) - frame


def read(features, sample):
    types = dict(line.rstrip("\n").split("\t")[:2] for line in open(sample, encoding="utf-8"))
    paths, kinds, rows, counts = [], [], [], []
    for line in open(features, encoding="utf-8"):
        path, size, _, row = line.rstrip("\n").split("\t")
        if int(size) >= SHORTEST:
            paths.append(path)
            kinds.append(types[path])
            rows.append([int(amount) for amount in row.split()] + [1])
            counts.append(reference(path))
    return paths, np.array(kinds), np.array(rows, float), np.array(counts, float)


def fit(features, counts):
    """Least squares say what is likely, then a linear program asks for as little as is seldom too little."""
    shares = features / counts[:, None]
    texts, columns = shares.shape
    ridge = np.vstack([shares, 1e-3 * np.eye(columns)])
    likely = nnls(ridge, np.concatenate([np.ones(texts), np.zeros(columns)]), maxiter=20000)[0]
    seen = (features > 0).sum(axis=0)
    most = np.where(seen < 30, np.maximum(1.3 * likely, 3.0), 1.6 * likely + 0.5)
    most[-1] = 8.0
    least = np.array([LEAST.get(column, 0.0) for column in range(columns)])
    bounds = list(zip(least, np.maximum(most, least)))
    goal = np.concatenate([shares.mean(axis=0), np.full(texts, SHORTFALL / texts)])
    covers = hstack([csr_matrix(-shares), -identity(texts)]).tocsr()
    limits = bounds + [(0, None)] * texts
    found = linprog(goal, A_ub=covers, b_ub=-np.ones(texts), bounds=limits, method="highs")
    weights = found.x[:columns]
    margin = (1 + WORST) / (features @ weights / counts).min()
    return np.ceil(1000 * weights * margin)


def table(name, errors):
    cuts = np.percentile(100 * errors, [0, 1, 50, 99, 100]) if len(errors) else []
    print(f"{name:<28}{len(errors):>6}", *(f"{cut:>7.1f}" for cut in cuts))


def main():
    paths, kinds, features, counts = read(*sys.argv[1:3])
    fitted = np.array([hashlib.sha1(path.encode()).digest()[0] % 2 == 0 for path in paths])
    weights = fit(features[fitted], counts[fitted])
    for row in range(0, WORDS, COLUMNS):
        print(*(f"{weight:.0f}," for weight in weights[row : row + COLUMNS]))
    print(*(f"{weight:.0f}," for weight in weights[WORDS:-1]), f"\nonce {weights[-1]:.0f}")
    errors = np.ceil(features @ weights / 1000) / counts - 1
    print(f"{'errors in %':<28}{'texts':>6}", *(f"{name:>7}" for name in ("min", "p01", "p50", "p99", "max")))
    table("fitted", errors[fitted])
    table("checked", errors[~fitted])
    large = features[:, :-1].sum(axis=1) > 250
    table("checked, 250 pieces or more", errors[~fitted & large])
    for kind in sorted(set(kinds)):
        table(kind, errors[~fitted & (kinds == kind)])
    worst = np.argsort(np.where(fitted, 0.0, errors))
    for at in [*worst[:5], *worst[-5:]]:
        print(f"{100 * errors[at]:.1f} {counts[at]:.0f} {paths[at]}", file=sys.stderr)


main()
