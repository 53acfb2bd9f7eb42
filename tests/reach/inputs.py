"""What tests/reach keeps: inputs that reach what the cases of the corpus do not. Each is a few files that are linted together."""
import os, re, subprocess, zipfile, zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHIVE, RECORDED = os.path.join(HERE, 'inputs.zip'), os.path.join(HERE, 'found.txt')
VERSION = re.compile(rb'"version":"[^"]*"')
COMMANDS = {
    'findings': ['--notes', '--no-fold', '--max-per-rule=0', '--max-diagnostics=0', '--enable=*', '--target=all', '--format=json'],
    'fixes': ['--diff', '--unsafe-fixes'],
}


def run(program, files, command, folder=None, env=None):
    """The exit status and both outputs. Names of files tell no formats."""
    done = subprocess.run([program, '-j1', '--no-config', *COMMANDS[command], '--', *files], cwd=folder, env=env,
                          capture_output=True)
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


def total(out, err):
    """The sum of both outputs, which is the same for each version of md5lint."""
    return '%08x' % zlib.crc32(VERSION.sub(b'', out, count=1) + err)
