/** The Python interpreter, a path or a name. */
export const pythonInUse = (): string =>
  process.env['GENENV_PYTHON'] ?? (process.platform === 'win32' ? 'python' : 'python3');
