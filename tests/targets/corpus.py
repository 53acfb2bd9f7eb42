"""The verdicts of engines on the corpus, and the cases that they are about."""
import collections, hashlib, os, random

VERDICTS = 'tests/targets/verdicts.tsv'


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def files_of(path):
    """The files of a case: one, or all in a folder but those that say what is expected."""
    if not os.path.isdir(path):
        return [path]
    return [path + '/' + f for f in sorted(os.listdir(path)) if f != 'expect' and not f.endswith('.fixed')]


BESIDE = ('.expect', '.source', '.fixed', '.md')


def linted_together(silent=False):
    """The files of each case that says what is expected of it; if silent, also of those of which nothing is expected."""
    for folder, below, files in os.walk('corpus'):
        below.sort()
        if 'expect' in files or (silent and '.' in os.path.basename(folder)):
            yield [f for f in files_of(folder) if not f.endswith(('.source', '.md'))]
        else:
            alone = {f.removesuffix('.expect') for f in files if f.endswith('.expect') or (silent and not f.endswith(BESIDE))}
            yield from ([os.path.join(folder, f)] for f in sorted(alone))


def digest(path):
    return hashlib.sha256(b''.join(map(read, files_of(path)))).hexdigest()[:16]


def verdicts():
    """{case: {engine: outcome}}, without cases whose bytes are others by now, and without those that are gone."""
    at, found, known = {}, collections.defaultdict(dict), {}
    for folder, folders, files in os.walk('corpus'):
        for name in folders + files:
            at[folder.split('/')[1] + '/' + name if folder.count('/') else name] = folder + '/' + name
    for line in open(VERDICTS):
        if line.startswith('#'):
            continue
        case, sha, engine, outcome = line.rstrip('\n').split('\t')
        if case not in known:
            known[case] = case in at and digest(at[case]) == sha
        if known[case]:
            found[case][engine] = outcome
    verdicts.at = at
    return found


def cases_of(found):
    """{case: its files}"""
    return {case: [f for f in files_of(verdicts.at[case]) if not f.endswith('.expect')] for case in found}


OUTCOMES = {'refuses-animation': 'refuses', 'empty': 'refuses', 'hangs': 'crashes', 'out-of-memory': 'crashes'}
WORST = ['loads', 'misplays', 'unknown', 'refuses', 'exits', 'crashes']


def outcome_of(verdict, engine):
    """The worse of that with and without an animation; None if it was not executed."""
    found = [OUTCOMES.get(v, v) for e, v in verdict.items() if e == engine or e == engine + '+anim']
    return max(found, key=WORST.index) if found else None


def part_of(cases, seed):
    """A random 60% of the cases, and the others."""
    mixed = sorted(cases)
    random.Random(seed).shuffle(mixed)
    cut = len(mixed) * 6 // 10
    return mixed[:cut], mixed[cut:]
