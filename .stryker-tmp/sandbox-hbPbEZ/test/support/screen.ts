/** A terminal's screen: enough of one to see what a redrawing program leaves on it. */
export class Screen {
  #columns: number;
  readonly #rows: number;
  /** Every line ever shown; the last `rows` are on screen. */
  #grid: string[][] = [[]];
  #x = 0;
  #y = 0;
  cursorShown = true;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Everything shown so far, from the top of the scrollback, trailing blanks and empty end left out. */
  lines(): string[] {
    const lines = this.#grid.map((cells) => cells.join('').trimEnd());
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  write(text: string): void {
    for (const [unit] of text.matchAll(/\u001B\[([?0-9;]*)([A-Za-z])|[^\p{Mn}]\p{Mn}*/gsu)) this.#put(unit);
  }

  /** A narrower screen breaks long lines, as terminals that reflow do. */
  reflow(columns: number): void {
    this.#columns = columns;
    this.#grid = this.#grid.flatMap((cells) => {
      const pieces: string[][] = [];
      for (let i = 0; i === 0 || i < cells.length; i += columns) pieces.push(cells.slice(i, i + columns));
      return pieces;
    });
    this.#y = this.#grid.length - 1;
  }

  #put(unit: string): void {
    if (unit === '\r') this.#x = 0;
    else if (unit === '\n') this.#newline();
    else if (unit.startsWith('\u001B')) this.#obey(unit);
    else {
      if (this.#x >= this.#columns) this.#newline();
      const row = this.#row();
      while (row.length < this.#x) row.push(' ');
      row[this.#x] = unit;
      this.#x += 1;
    }
  }

  #row(): string[] {
    while (this.#grid.length <= this.#y) this.#grid.push([]);
    return this.#grid[this.#y] ?? [];
  }

  #newline(): void {
    this.#y += 1;
    this.#x = 0;
    this.#row();
  }

  #obey(escape: string): void {
    const argument = escape.slice(2, -1);
    const top = Math.max(0, this.#grid.length - this.#rows);
    switch (escape.at(-1)) {
      case 'A':
        this.#y = Math.max(top, this.#y - Number(argument === '' ? 1 : argument));
        break;
      case 'K':
        this.#row().length = this.#x;
        break;
      case 'J':
        this.#row().length = this.#x;
        for (let y = this.#y + 1; y < this.#grid.length; y++) this.#grid[y] = [];
        break;
      case 'h':
      case 'l':
        if (argument === '?25') this.cursorShown = escape.endsWith('h');
        break;
      case 'm':
        break;
      default:
        throw new Error(`This screen does not know ${JSON.stringify(escape)}.`);
    }
  }
}
