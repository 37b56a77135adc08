import { order, textOrder } from '../../python/evaluate.ts';
import { PythonFault } from '../../python/fault.ts';
import { str } from '../../python/text/repr.ts';
import { binary } from '../../python/arithmetic.ts';
import { Dict, kindOf, type Value } from '../../python/value.ts';
import { splitWords } from '../../../python/text.ts';
import { failure, object, textOf, type Api, type Given, type Method, type Surroundings } from '../api.ts';
import { Directory, File, sameDirectories, treeOf } from './directory.ts';
import { splitLines } from '../lines.ts';
import { isFalse, money } from '../values.ts';

type Item = File | Directory;

/** A file system in memory with a working directory. */
export class GorillaFileSystem implements Api {
  readonly #root: Directory;
  #here: Directory;

  /** @param scenario `{root: {NAME: {contents}}}` @throws PythonFault */
  constructor(scenario: Dict, { longContext }: Pick<Surroundings, 'longContext'>) {
    this.#root = treeOf(scenario.get('root'), longContext);
    this.#here = this.#root;
  }

  state(): Record<string, Value> {
    return { root: this.#root.asValue() };
  }

  readonly methods: Record<string, Method> = {
    pwd: { parameters: [], run: () => object({ current_working_directory: `/${this.#here.path().join('/')}` }) },
    ls: { parameters: [['a', false]], run: (given) => this.#ls(given('a')) },
    cd: { parameters: ['folder'], run: (given) => this.#cd(textOf(given('folder'), 'rstrip')) },
    mkdir: { parameters: ['dir_name'], run: (given) => this.#make('mkdir', 'create directory', given('dir_name')) },
    touch: { parameters: ['file_name'], run: (given) => this.#make('touch', 'touch', given('file_name')) },
    echo: { parameters: ['content', ['file_name', null]], run: (given) => this.#echo(given) },
    cat: { parameters: ['file_name'], run: (given) => this.#cat(given('file_name')) },
    find: {
      parameters: [
        ['path', '.'],
        ['name', null],
      ],
      run: (given) => this.#find(given('path'), given('name')),
    },
    wc: { parameters: ['file_name', ['mode', 'l']], run: (given) => this.#count(given('file_name'), given('mode')) },
    sort: {
      parameters: ['file_name'],
      run: (given) =>
        this.#read('sort', given('file_name'), (content) =>
          object({ sorted_content: splitLines(content).sort(textOrder).join('\n') }),
        ),
    },
    grep: {
      parameters: ['file_name', 'pattern'],
      run: (given) =>
        this.#read('grep', given('file_name'), (content) =>
          object({ matching_lines: splitLines(content).filter((line) => contains(line, given('pattern'))) }),
        ),
    },
    du: { parameters: [['human_readable', false]], run: (given) => this.#usage(given('human_readable')) },
    tail: {
      parameters: ['file_name', ['lines', 10n]],
      run: (given) => this.#read('tail', given('file_name'), (content) => tail(content, given('lines'))),
    },
    diff: {
      parameters: ['file_name1', 'file_name2'],
      run: (given) => this.#diff(given('file_name1'), given('file_name2')),
    },
    mv: { parameters: ['source', 'destination'], run: (given) => this.#place('mv', given) },
    rm: { parameters: ['file_name'], run: (given) => this.#remove(given('file_name')) },
    rmdir: { parameters: ['dir_name'], run: (given) => this.#removeDirectory(given('dir_name')) },
    cp: { parameters: ['source', 'destination'], run: (given) => this.#place('cp', given) },
  };

  #item(name: Value): Item | undefined {
    if (Array.isArray(name) || name instanceof Dict) throw unhashable(name);
    return typeof name === 'string' ? this.#here.contents.get(name) : undefined;
  }

  #ls(all: Value): Value {
    const names = [...this.#here.contents.keys()];
    return object({ current_directory_content: isFalse(all) ? names.filter((name) => !name.startsWith('.')) : names });
  }

  #cd(typed: string): Value {
    const folder = typed.replace(/(?<!\/)\/+$/, '') || '/';
    if (!['.', '..', '/'].includes(folder) && folder.includes('/')) {
      return failure(`cd: ${folder}: Unsupported path. Only one folder level at a time is supported.`);
    }
    if (folder === '..') {
      if (this.#here.parent !== null) {
        this.#here = this.#here.parent;
        return new Dict();
      }
      return failure(
        sameDirectories(this.#root, this.#here)
          ? 'Current directory is already the root. Cannot go back.'
          : 'cd: ..: No such directory',
      );
    }
    const target = this.#navigate(folder);
    if (target instanceof Dict) return target;
    this.#here = target;
    return object({ current_working_directory: target.name });
  }

  #make(command: 'mkdir' | 'touch', verb: string, given: Value): Value {
    const name = fileName(given);
    const complaint = `${command}: cannot ${verb} '${name}'`;
    if (!isValid(name)) return failure(`${complaint}: Invalid character`);
    if (this.#here.contents.has(name)) return failure(`${complaint}: File exists`);
    this.#here.contents.set(name, command === 'mkdir' ? new Directory(name, this.#here) : new File(name, ''));
    return null;
  }

  #echo(given: Given): Value {
    const content = given('content');
    if (given('file_name') === null) return object({ terminal_output: content });
    const name = fileName(given('file_name'));
    if (!isValid(name)) return failure(`echo: cannot write to '${name}': Invalid character`);
    if (name === '') return object({ terminal_output: content });
    const item = this.#here.contents.get(name);
    if (item === undefined) return failure(`echo: cannot write to '${name}': No such file`);
    if (item instanceof Directory) throw new PythonFault('value', "'Directory' object has no attribute '_write'");
    item.content = content;
    return null;
  }

  #cat(given: Value): Value {
    const name = fileName(given);
    if (!isValid(name)) return failure(`cat: '${name}': Invalid character`);
    const item = this.#here.contents.get(name);
    if (item === undefined) return failure(`cat: '${name}': No such file or directory`);
    return item instanceof File ? object({ file_content: item.content }) : failure(`cat: '${name}': Is a directory`);
  }

  #find(path: Value, name: Value): Value {
    const target = this.#navigate(path);
    if (target instanceof Dict) return failure(str(target.get('error') ?? '').replace(/^cd:/, 'find:'));
    const matches: string[] = [];
    const search = (directory: Directory, base: string, depth: number): void => {
      if (depth > deepest) throw tooDeep();
      for (const [itemName, item] of directory.contents) {
        if (name === null || contains(itemName, name)) matches.push(`${base}/${itemName}`);
        if (item instanceof Directory) search(item, `${base}/${itemName}`, depth + 1);
      }
    };
    search(target, textOf(path, 'rstrip').replace(/(?<!\/)\/+$/, ''), 0);
    return object({ matches });
  }

  #count(name: Value, mode: Value): Value {
    if (mode !== 'l' && mode !== 'w' && mode !== 'c') return failure(`wc: invalid mode '${str(mode)}'`);
    return this.#read('wc', name, (content) => {
      if (mode === 'l') return object({ count: BigInt(splitLines(content).length), type: 'lines' });
      if (mode === 'w') return object({ count: BigInt(splitWords(content).length), type: 'words' });
      return object({ count: BigInt(Array.from(content).length), type: 'characters' });
    });
  }

  #read(command: string, name: Value, use: (content: string) => Value): Value {
    const item = this.#item(name);
    if (!(item instanceof File)) return failure(`${command}: ${str(name)}: No such file or directory`);
    return use(textOf(item.content, 'splitlines'));
  }

  #usage(isReadable: Value): Value {
    const bytes = this.#here.bytes();
    if (isFalse(isReadable)) return object({ disk_usage: `${bytes} bytes` });
    let size: number = bytes;
    for (const unit of ['B', 'KB', 'MB', 'GB', 'TB']) {
      if (size < 1024) return object({ disk_usage: `${money(size)} ${unit}` });
      size /= 1024;
    }
    return object({ disk_usage: `${money(size)} PB` });
  }

  #diff(first: Value, second: Value): Value {
    const [a, b] = [this.#item(first), this.#item(second)];
    if (!(a instanceof File) || !(b instanceof File)) {
      return failure(`diff: ${str(first)} or ${str(second)}: No such file or directory`);
    }
    const [left, right] = [a, b].map((file) => splitLines(textOf(file.content, 'splitlines')));
    const pairs = (left ?? []).flatMap((line, at) => {
      const other = right?.[at];
      return other === undefined || other === line ? [] : [`- ${line}\n+ ${other}`];
    });
    return object({ diff_lines: pairs.join('\n') });
  }

  /** Of a directory, `mv` moves its contents and `cp` copies the list of them: what is inside stays the same things. */
  #place(command: 'mv' | 'cp', given: Given): Value {
    const verb = command === 'mv' ? 'move' : 'copy';
    const done = command === 'mv' ? 'moved' : 'copied';
    const source = given('source');
    const item = this.#item(source);
    if (item === undefined || typeof source !== 'string') {
      return failure(`${command}: cannot ${verb} '${str(source)}': No such file or directory`);
    }
    const destination = fileName(given('destination'));
    if (destination.includes('/')) {
      return failure(`${command}: path not allowed in destination. Provide only a file or directory name.`);
    }
    const target = this.#here.contents.get(destination);
    if (target instanceof File) {
      return failure(`${command}: cannot ${verb} '${source}' to '${destination}': Not a directory`);
    }
    const within = `${destination}/${source}`;
    // `cp` looks for the whole path, which no name has, and fails at the copy instead.
    if (target?.contents.has(command === 'mv' ? source : within) === true) {
      return failure(`${command}: cannot ${verb} '${source}' to '${within}': File exists`);
    }
    if (command === 'mv') this.#here.contents.delete(source);
    (target ?? this.#here).add(target === undefined ? destination : source, item, command === 'cp');
    return object({ result: `'${source}' ${done} to '${target === undefined ? destination : within}'` });
  }

  #remove(name: Value): Value {
    if (this.#item(name) === undefined) {
      return failure(`rm: cannot remove '${str(name)}': No such file or directory`);
    }
    this.#here.contents.delete(str(name));
    return object({ result: `'${str(name)}' removed` });
  }

  #removeDirectory(name: Value): Value {
    const complaint = `rmdir: cannot remove '${str(name)}'`;
    const item = this.#item(name);
    if (item === undefined) return failure(`${complaint}: No such file or directory`);
    if (item instanceof File) return failure(`${complaint}: Not a directory`);
    if (item.contents.size > 0) return failure(`${complaint}: Directory not empty`);
    this.#here.contents.delete(str(name));
    return object({ result: `'${str(name)}' removed` });
  }

  #navigate(path: Value): Directory | Dict {
    if (path === null || path === '.') return this.#here;
    if (path === '/') return this.#root;
    const typed = textOf(path, 'strip');
    let directory = typed.startsWith('/') ? this.#root : this.#here;
    for (const name of typed
      .replace(/^\/+/, '')
      .replace(/(?<!\/)\/+$/, '')
      .split('/')) {
      const next = name === '.' ? directory : directory.contents.get(name);
      if (!(next instanceof Directory)) return failure(`cd: '${typed}': No such file or directory`);
      directory = next;
    }
    return directory;
  }
}

/** Python gives up at about a thousand: a directory copied into itself has no end. */
const deepest = 900;
const tooDeep = (): PythonFault => new PythonFault('value', 'maximum recursion depth exceeded');

const unhashable = (value: Value): PythonFault => new PythonFault('type', `unhashable type: '${kindOf(value)}'`);

const fileName = (value: Value): string => {
  if (typeof value === 'string') return value;
  throw new PythonFault('type', `argument of type '${kindOf(value)}' is not iterable`);
};

const isValid = (name: string): boolean => !/[|/\\?%*:"><]/.test(name);

function contains(line: string, part: Value): boolean {
  if (typeof part === 'string') return line.includes(part);
  throw new PythonFault('type', `'in <string>' requires string as left operand, not ${kindOf(part)}`);
}

function tail(content: string, wanted: Value): Value {
  const lines = splitLines(content);
  const count = order(wanted, BigInt(lines.length)) > 0 ? BigInt(lines.length) : wanted;
  const from = binary('-', 0n, count);
  if (typeof from !== 'bigint') throw new PythonFault('type', 'slice indices must be integers or None');
  return object({ last_lines: lines.slice(Number(from)).join('\n') });
}
