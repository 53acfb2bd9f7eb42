"""What tests/reach keeps: inputs that reach what the cases of the corpus do not. Each is a few files that are linted together."""
import json, os, re, subprocess, sys, zipfile, zlib
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHIVE, RECORDED = os.path.join(HERE, 'inputs.zip'), os.path.join(HERE, 'found.txt')
VERSION = re.compile(rb'"version":"[^"]*"')
COMMANDS = {
    'findings': ['--notes', '--no-fold', '--max-per-rule=0', '--max-diagnostics=0', '--enable=*', '--target=all', '--format=json'],
    'fixes': ['--diff', '--unsafe-fixes'],
}


def run(program, files, command, folder=None, env=None):
    """The exit status and the bytes of the output; both outputs are in it. Names of files tell no formats."""
    done = subprocess.run([program, '-j1', '--no-config', *COMMANDS[command], '--', *files], cwd=folder, env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def read():
    """{input: {name of a file: its bytes}}"""
    inputs = {}
    with zipfile.ZipFile(ARCHIVE) as archive:
        for name in archive.namelist():
            number, file = name.split('/', 1)
            inputs.setdefault(number, {})[file] = archive.read(name)
    return inputs


def write(inputs):
    with zipfile.ZipFile(ARCHIVE, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number, files in inputs.items():
            for name, content in files.items():
                archive.writestr(zipfile.ZipInfo(f'{number}/{name}', (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)


def unpack(files, folder):
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as file:
            file.write(content)


def for_each(function, items):
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(function, items))


def total(output):
    """The sum of an output, which is the same for each version of md5lint."""
    return '%08x' % zlib.crc32(VERSION.sub(b'', output, count=1))


def count(output):
    """Findings in a report as JSON."""
    try:
        return sum(len(file.get('diagnostics', [])) for file in json.loads(output)['files'])
    except (ValueError, KeyError):
        return 0
