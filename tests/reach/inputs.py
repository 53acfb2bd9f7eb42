"""What tests/reach keeps: inputs that reach what the cases of the corpus do not. Each is a few files that are linted together."""
import os, re, subprocess, zipfile, zlib

SEPARATOR = b'%%\n'  # between the parts of an input, as in fuzz/harness/parts.h
FILES = ['a/hero.a', 'a/hero-walk.b', 'b/other.c', 'walk.d']  # the files that the parts become, as there
HERE = os.path.dirname(os.path.abspath(__file__))
ARCHIVE, RECORDED = os.path.join(HERE, 'inputs.zip'), os.path.join(HERE, 'found.txt')
VERSION = re.compile(rb'"version":"[^"]*"')
COMMANDS = {
    'findings': ['--notes', '--no-fold', '--max-per-rule=0', '--max-diagnostics=0', '--enable=*', '--format=json'],
    'targets': ['--target=all', '--format=json'],  # without findings that no engine minds
    'fixes': ['--diff', '--unsafe-fixes'],
}


def run(program, files, command, folder=None, env={}):
    """The exit status and both outputs. The names have no known extension: each format is found from the content."""
    done = subprocess.run([program, '-j1', '--no-config', *COMMANDS[command], '--', *files], cwd=folder,
                          env={**os.environ, **env}, capture_output=True)
    if done.returncode not in (0, 1, 2):
        raise RuntimeError(f'{command}: status {done.returncode}: {done.stderr[-1000:].decode(errors="replace")}')
    return done.returncode, done.stdout, done.stderr


def read():
    """{input: {name of a file: its bytes}}"""
    inputs = {}
    with zipfile.ZipFile(ARCHIVE) as archive:
        for name in archive.namelist():
            number, file = name.split('/', 1)
            inputs.setdefault(number, {})[file] = archive.read(name)
    return inputs


def write(inputs):
    with zipfile.ZipFile(ARCHIVE + '.new', 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number, files in inputs.items():
            for name, content in files.items():
                archive.writestr(zipfile.ZipInfo(f'{number}/{name}', (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    os.replace(ARCHIVE + '.new', ARCHIVE)


def split(content):
    """The files of an input of fuzzing, as split_parts does it."""
    parts = content.split(b'\n' + SEPARATOR)
    whole = [part + b'\n' for part in parts[:-1]] + parts[-1:] * (parts[-1] != b'')
    return dict(zip(FILES, whole))


def join(files):
    """The input of fuzzing that becomes these files."""
    return SEPARATOR.join(files.values())


def unpack(files, folder):
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(content)


def total(out, err):
    """CRC-32 of both outputs, without md5lint's version."""
    return '%08x' % zlib.crc32(VERSION.sub(b'', out, count=1) + err)
