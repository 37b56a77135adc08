/** Plain stand-ins for three native modules of VS Code's server: tests need no compiler on the machine. */

/** The rotating logger: the same surface, appended at once. */
const spdlog = `'use strict';
const fs = require('node:fs');
const path = require('node:path');
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = 2;
    this.raw = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.appendFileSync(file, '');
  }
  write(level, text) {
    if (levels.indexOf(level) < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').slice(0, 23);
    const line = this.raw ? text : time + ' [' + (level === 'warn' ? 'warning' : level) + '] ' + text + '\\n';
    fs.appendFile(this.file, line, () => {});
  }
  setLevel(level) { this.level = level; }
  getLevel() { return this.level; }
  setPattern() { this.raw = false; }
  clearFormatters() { this.raw = true; }
  flush() {}
  drop() {}
}
for (const level of levels) Logger.prototype[level] = function (text) { this.write(level, text); };
exports.version = 1;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = exports.createAsyncRotatingLogger = async (name, file) => new Logger('', name, file);
`;

/** Module name to the text of its only file. */
export const standIns: Readonly<Record<string, string>> = {
  '@vscode/spdlog': spdlog,
  '@vscode/native-watchdog': 'exports.start = () => {};\n',
  '@vscode/deviceid': "exports.getDeviceId = async () => 'test';\n",
};
