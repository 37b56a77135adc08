import { binary } from '../../python/arithmetic.ts';
import { isTrue, order } from '../../python/evaluate.ts';
import { PythonFault } from '../../python/fault.ts';
import { repr, str } from '../../python/text/repr.ts';
import { Dict, equal, isIn, kindOf, type Value } from '../../python/value.ts';
import { failure, lower, member, object, type Api, type Method, type Surroundings } from '../api.ts';
import { dayStart, instantOf, parseDay, parseMoment, momentText } from './dates.ts';
import { PythonRandom } from './pythonRandom.ts';
import type { LongContext } from './longContext.ts';
import { dictOf, listOf, seedOf, valueOf } from '../scenario.ts';
import { defaultOrders, defaultStocks, sectors, symbols } from './stocks.ts';
import { elements, float, int, less, money, more } from '../values.ts';

/** The moment at which the tool stands still. */
const now = instantOf({ year: 2024, month: 9, day: 1 }, 10 * 3600 + 30 * 60);
const secondsOfDay = 86_400n;

/** Orders, watch list and money of one account. */
export class TradingBot implements Api {
  readonly #random: PythonRandom;
  readonly #orders: Dict;
  readonly #account: Dict;
  #authenticated: Value;
  readonly #marketStatus: Value;
  #orderCounter: Value;
  readonly #stocks: Dict;
  readonly #watchList: Value[];
  readonly #history: Value[];
  readonly #longContext: LongContext | null;

  constructor(scenario: Dict, { longContext }: Pick<Surroundings, 'longContext'>) {
    this.#longContext = longContext;
    this.#random = new PythonRandom(seedOf(scenario, 1053520n));
    this.#orders = Dict.of(
      Array.from(dictOf(scenario, 'orders', defaultOrders()), ([id, one]) => [
        typeof id === 'string' && /^\p{Nd}+$/u.test(id) ? int(id) : id,
        one,
      ]),
    );
    this.#account = dictOf(scenario, 'account_info', {
      account_id: 12345n,
      balance: 10000,
      binding_card: 1974202140965533n,
    });
    this.#authenticated = valueOf(scenario, 'authenticated', false);
    this.#marketStatus = valueOf(scenario, 'market_status', 'Closed');
    this.#orderCounter = valueOf(scenario, 'order_counter', 12446n);
    this.#stocks = dictOf(scenario, 'stocks', defaultStocks());
    this.#watchList = listOf(scenario, 'watch_list', ['NVDA']);
    this.#history = listOf(scenario, 'transaction_history', []);
  }

  state(): Record<string, Value> {
    return {
      orders: this.#orders,
      account_info: this.#account,
      authenticated: this.#authenticated,
      market_status: this.#marketStatus,
      order_counter: this.#orderCounter,
      stocks: this.#stocks,
      watch_list: this.#watchList,
      transaction_history: this.#history,
    };
  }

  readonly methods: Record<string, Method> = {
    get_current_time: { parameters: [], run: () => object({ current_time: '10:30 AM' }) },
    get_symbol_by_name: {
      parameters: ['name'],
      run: (given) => object({ symbol: symbols.get(given('name')) ?? 'Stock not found' }),
    },
    get_stock_info: {
      parameters: ['symbol'],
      run: (given) => this.#stock(given('symbol')),
    },
    get_order_details: {
      parameters: ['order_id'],
      run: (given) => this.#order(given('order_id')),
    },
    cancel_order: { parameters: ['order_id'], run: (given) => this.#cancel(given('order_id')) },
    place_order: {
      parameters: ['order_type', 'symbol', 'price', 'amount'],
      run: (given) => this.#place(given('order_type'), given('symbol'), given('price'), given('amount')),
    },
    withdraw_funds: { parameters: ['amount'], run: (given) => this.#withdraw(given('amount')) },
    get_account_info: {
      parameters: [],
      run: () => (isTrue(this.#authenticated) ? this.#account : notLoggedIn('view account information')),
    },
    trading_login: {
      parameters: ['username', 'password'],
      run: () => {
        if (isTrue(this.#authenticated)) return object({ status: 'Already logged in' });
        this.#authenticated = true;
        return object({ status: 'Logged in successfully' });
      },
    },
    trading_get_login_status: { parameters: [], run: () => object({ status: isTrue(this.#authenticated) }) },
    trading_logout: {
      parameters: [],
      run: () => {
        if (!isTrue(this.#authenticated)) return object({ status: 'No user is currently logged in' });
        this.#authenticated = false;
        return object({ status: 'Logged out successfully' });
      },
    },
    fund_account: { parameters: ['amount'], run: (given) => this.#fund(given('amount')) },
    remove_stock_from_watchlist: { parameters: ['symbol'], run: (given) => this.#unwatch(given('symbol')) },
    get_watchlist: {
      parameters: [],
      run: () => {
        if (!isTrue(this.#authenticated))
          return ['Error: User not authenticated. Please log in to view the watchlist.'];
        if (this.#longContext !== null) return [...this.#watchList, ...this.#longContext.watchList];
        return object({ watchlist: this.#watchList });
      },
    },
    get_order_history: {
      parameters: [],
      run: () =>
        isTrue(this.#authenticated) ? object({ history: this.#orders.keys() }) : [notLoggedIn('view order history')],
    },
    get_transaction_history: {
      parameters: [
        ['start_date', null],
        ['end_date', null],
      ],
      run: (given) => this.#transactions(given('start_date'), given('end_date')),
    },
    get_available_stocks: {
      parameters: ['sector'],
      run: (given) =>
        object({ stock_list: [...elements(sectors.get(given('sector')) ?? []), ...this.#moreOf(given('sector'))] }),
    },
    filter_stocks_by_price: {
      parameters: ['stocks', 'min_price', 'max_price'],
      run: (given) =>
        object({
          filtered_stocks: elements(given('stocks')).filter((symbol) => {
            const stock = this.#stocks.get(symbol);
            const price = (stock instanceof Dict ? stock.get('price') : undefined) ?? 0n;
            return order(price, given('min_price')) >= 0 && order(price, given('max_price')) <= 0;
          }),
        }),
    },
    add_to_watchlist: {
      parameters: ['stock'],
      run: (given) => {
        if (!isIn(given('stock'), this.#watchList) && this.#stocks.has(given('stock')))
          this.#watchList.push(given('stock'));
        return object({ watchlist: this.#watchList });
      },
    },
    notify_price_change: {
      parameters: ['stocks', 'threshold'],
      run: (given) => this.#notify(elements(given('stocks')), given('threshold')),
    },
  };

  #stock(symbol: Value): Value {
    const stock = this.#stocks.get(symbol);
    if (stock === undefined) return failure(`Stock with symbol '${str(symbol)}' not found.`);
    if (this.#longContext === null) return stock;
    const long = shallow(stock);
    long.set('MA(5)', [...this.#longContext.shortAverages]);
    long.set('MA(20)', [...this.#longContext.longAverages]);
    return long;
  }

  #order(id: Value): Value {
    const order = this.#orders.get(id);
    if (order === undefined) {
      const ids = repr(this.#orders.keys());
      return failure(`Order with ID ${str(id)} not found.Here is the list of orders_id: ${ids}`);
    }
    if (this.#longContext === null) return order;
    const long = shallow(order);
    const symbol = str(member(order, 'symbol'));
    const metadata = Array.from(this.#longContext.orderDetail, ([name, text]): [Value, Value] => [
      name,
      str(text).replaceAll('{symbol}', () => symbol),
    ]);
    long.set('metadata', Dict.of(metadata));
    return long;
  }

  #moreOf(sector: Value): readonly Value[] {
    if (sector === 'Technology') return this.#longContext?.technology ?? [];
    return sector === 'Automobile' ? (this.#longContext?.automobile ?? []) : [];
  }

  #cancel(id: Value): Value {
    const found = this.#orders.get(id);
    if (found === undefined) return failure(`Order with ID ${str(id)} not found.`);
    if (member(found, 'status') === 'Completed') {
      return failure(`Can't cancel order ${str(id)}. Order is already completed.`);
    }
    if (found instanceof Dict) found.set('status', 'Cancelled');
    return object({ order_id: id, status: 'Cancelled' });
  }

  #place(type: Value, symbol: Value, price: Value, amount: Value): Value {
    if (!isTrue(this.#authenticated)) return notLoggedIn('place an order');
    if (!this.#stocks.has(symbol)) return failure(`Invalid stock symbol: ${str(symbol)}`);
    if (!more(price, 0n) || !more(amount, 0n)) return failure('Price and amount must be positive values.');
    if (lower(type) === 'buy') {
      const cost = binary('*', float(price), int(amount));
      const balance = valueOf(this.#account, 'balance', 0n);
      if (more(cost, balance)) {
        return failure(`Insufficient funds: required $${money(cost)} but only $${money(balance)} available.`);
      }
    }
    const id = this.#orderCounter;
    const paid = float(price);
    this.#orders.set(id, object({ id, order_type: type, symbol, price: paid, amount, status: 'Open' }));
    this.#orderCounter = binary('+', id, 1n);
    return object({ order_id: id, order_type: type, status: 'Pending', price: paid, amount });
  }

  #withdraw(amount: Value): Value {
    if (!isTrue(this.#authenticated)) return notLoggedIn('make a transaction');
    if (this.#marketStatus !== 'Open') return failure('Market is closed. Transactions are not allowed.');
    if (!more(amount, 0n)) return failure('Transaction amount must be positive.');
    if (more(amount, member(this.#account, 'balance'))) return failure('Insufficient funds for withdrawal.');
    return this.#move('-', amount, 'withdrawal', 'Withdrawal successful');
  }

  #fund(amount: Value): Value {
    if (!isTrue(this.#authenticated)) return notLoggedIn('fund the account');
    if (!more(amount, 0n)) return failure('Funding amount must be positive.');
    return this.#move('+', amount, 'deposit', 'Account funded successfully');
  }

  #move(sign: '+' | '-', amount: Value, type: string, status: string): Value {
    const balance = binary(sign, member(this.#account, 'balance'), amount);
    this.#account.set('balance', balance);
    const second = now + Number(this.#random.int(0n, secondsOfDay));
    this.#history.push(object({ type, amount, timestamp: momentText(second) }));
    return object({ status, new_balance: balance });
  }

  #unwatch(symbol: Value): Value {
    if (!isTrue(this.#authenticated)) return notLoggedIn('modify the watchlist');
    const at = this.#watchList.findIndex((one) => equal(one, symbol));
    if (at === -1) return failure(`Stock ${str(symbol)} not found in watchlist.`);
    this.#watchList.splice(at, 1);
    return object({ status: `Stock ${str(symbol)} removed from watchlist successfully.` });
  }

  #transactions(start: Value, end: Value): Value {
    if (!isTrue(this.#authenticated)) return [notLoggedIn('view transaction history')];
    const [from, to] = [
      isTrue(start) ? dayStart(parseDay(start)) : -Infinity,
      isTrue(end) ? dayStart(parseDay(end)) : Infinity,
    ];
    const found = this.#history.filter((one) => {
      const moment = parseMoment(member(one, 'timestamp'));
      return from <= moment && moment <= to;
    });
    return object({ transaction_history: [...found, ...(this.#longContext?.transactions ?? [])] });
  }

  #notify(stocks: readonly Value[], threshold: Value): Value {
    const changed = stocks.filter((symbol) => {
      const stock = this.#stocks.get(symbol);
      if (stock === undefined) return false;
      const change = member(stock, 'percent_change');
      return !less(less(change, 0n) ? binary('-', 0n, change) : change, threshold);
    });
    if (changed.length === 0) return object({ notification: 'No significant price changes in the selected stocks.' });
    const names = changed.map((symbol) => {
      if (typeof symbol === 'string') return symbol;
      throw new PythonFault('type', 'sequence item 0: expected str instance');
    });
    return object({ notification: `Stocks ${names.join(', ')} have significant price changes.` });
  }
}

/** `value.copy()`. @throws PythonFault */
function shallow(value: Value): Dict {
  if (value instanceof Dict) return Dict.of(value);
  throw new PythonFault('value', `'${kindOf(value)}' object has no attribute 'copy'`);
}

const notLoggedIn = (to: string): Dict => failure(`User not authenticated. Please log in to ${to}.`);
