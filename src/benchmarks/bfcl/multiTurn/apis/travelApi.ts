import { binary } from '../../python/arithmetic.ts';
import { PythonFault } from '../../python/fault.ts';
import { intOf } from '../../python/text/numberText.ts';
import { repr, str } from '../../python/text/repr.ts';
import { Dict, equal, isIn, type Value } from '../../python/value.ts';
import {
  failure,
  member,
  object,
  textOf,
  type Api,
  type CalendarDay,
  type Given,
  type Method,
  type Surroundings,
} from '../api.ts';
import { parseDay } from './dates.ts';
import { PythonRandom } from './pythonRandom.ts';
import type { LongContext } from './longContext.ts';
import { airportOf, airports, dollarIn, fare, fares } from './routes.ts';
import { deepCopy, dictOf, seedOf, valueOf } from '../scenario.ts';
import { elements, float, less, round } from '../values.ts';

type Attribute =
  | 'access_token'
  | 'token_type'
  | 'token_expires_in'
  | 'token_scope'
  | 'user_first_name'
  | 'user_last_name'
  | 'budget_limit';

/** Flights, cards and insurance of one traveller. */
export class TravelApi implements Api {
  readonly #random: PythonRandom;
  readonly #cards: Dict;
  readonly #bookings: Dict;
  readonly #own: Record<Attribute, Value>;
  readonly #today: CalendarDay;
  readonly #longContext: LongContext | null;

  constructor(scenario: Dict, { today, longContext }: Surroundings) {
    this.#random = new PythonRandom(seedOf(scenario, 141053n));
    this.#cards = dictOf(scenario, 'credit_card_list', {});
    this.#bookings = dictOf(scenario, 'booking_record', {});
    const own = (name: Attribute): Value => valueOf(scenario, name, null);
    this.#own = {
      access_token: own('access_token'),
      token_type: own('token_type'),
      token_expires_in: own('token_expires_in'),
      token_scope: own('token_scope'),
      user_first_name: own('user_first_name'),
      user_last_name: own('user_last_name'),
      budget_limit: own('budget_limit'),
    };
    this.#today = today;
    this.#longContext = longContext;
    for (const [id, card] of longContext?.cards ?? []) if (!this.#cards.has(id)) this.#cards.set(id, card);
    for (const [id, one] of longContext?.bookings ?? []) if (!this.#bookings.has(id)) this.#bookings.set(id, one);
  }

  state(): Record<string, Value> {
    return { credit_card_list: this.#cards, booking_record: this.#bookings, ...this.#own };
  }

  readonly methods: Record<string, Method> = {
    authenticate_travel: {
      parameters: ['client_id', 'client_secret', 'refresh_token', 'grant_type', 'user_first_name', 'user_last_name'],
      run: (given) => this.#authenticate(given),
    },
    travel_get_login_status: {
      parameters: [],
      run: () => object({ status: this.#own.token_expires_in !== null && !equal(this.#own.token_expires_in, 0n) }),
    },
    get_budget_fiscal_year: {
      parameters: [
        ['lastModifiedAfter', null],
        ['includeRemoved', null],
      ],
      run: () => object({ budget_fiscal_year: '2018' }),
    },
    register_credit_card: {
      parameters: ['access_token', 'card_number', 'expiration_date', 'cardholder_name', 'card_verification_number'],
      run: (given) => this.#register(given),
    },
    get_flight_cost: {
      parameters: ['travel_from', 'travel_to', 'travel_date', 'travel_class'],
      run: (given) => {
        const cost = costOf(given);
        const all = this.#longContext === null ? null : fares.map(([, , base]) => base * factorOf(given));
        return object({ travel_cost_list: all ?? [cost] });
      },
    },
    get_credit_card_balance: {
      parameters: ['access_token', 'card_id'],
      run: (given) =>
        this.#admitted(given, failure, () => {
          const card = this.#cards.get(given('card_id'));
          if (card !== undefined) return object({ card_balance: member(card, 'balance') });
          return failure(`Card not registered. Here are a list of card_id's: ${repr(this.#cards.keys())}`);
        }),
    },
    book_flight: {
      parameters: ['access_token', 'card_id', 'travel_date', 'travel_from', 'travel_to', 'travel_class'],
      run: (given) => this.#admitted(given, notBooked, () => this.#book(given)),
    },
    retrieve_invoice: {
      parameters: ['access_token', ['booking_id', null], ['insurance_id', null]],
      run: (given) => this.#admitted(given, failure, () => this.#invoice(given('booking_id'))),
    },
    get_booking_history: {
      parameters: ['access_token'],
      run: (given) => this.#admitted(given, failure, () => object({ booking_history: deepCopy(this.#bookings) })),
    },
    list_all_airports: { parameters: [], run: () => [...airports] },
    cancel_booking: {
      parameters: ['access_token', 'booking_id'],
      run: (given) => this.#admitted(given, notCancelled, () => this.#cancel(given('booking_id'))),
    },
    compute_exchange_rate: {
      parameters: ['base_currency', 'target_currency', 'value'],
      run: (given) => exchanged(given('base_currency'), given('target_currency'), given('value')),
    },
    verify_traveler_information: {
      parameters: ['first_name', 'last_name', 'date_of_birth', 'passport_number'],
      run: (given) => this.#verify(given),
    },
    set_budget_limit: {
      parameters: ['access_token', 'budget_limit'],
      run: (given) =>
        this.#admitted(given, failure, () => {
          this.#own.budget_limit = float(given('budget_limit'));
          return object({ budget_limit: this.#own.budget_limit });
        }),
    },
    get_nearest_airport_by_city: {
      parameters: ['location'],
      run: (given) => object({ nearest_airport: airportOf.get(given('location')) ?? 'Unknown' }),
    },
    purchase_insurance: {
      parameters: ['access_token', 'insurance_type', 'booking_id', 'insurance_cost', 'card_id'],
      run: (given) => this.#admitted(given, notInsured, () => this.#insure(given)),
    },
    contact_customer_support: {
      parameters: ['booking_id', 'message'],
      run: (given) => {
        if (!this.#bookings.has(given('booking_id'))) return failure('Booking not found');
        const thanks =
          'Thank you for contacting customer support. Your message has been received and we will get back to you shortly.';
        return object({ customer_support_message: thanks });
      },
    },
    get_all_credit_cards: { parameters: [], run: () => object({ credit_card_list: this.#cards }) },
  };

  #digits(low: bigint, high: bigint): string {
    return this.#random.int(low, high).toString();
  }

  #authenticate(given: Given): Value {
    this.#own.token_expires_in = 2n;
    this.#own.access_token = this.#digits(100000n, 999999n);
    this.#own.token_type = 'Bearer';
    this.#own.token_scope = given('grant_type');
    this.#own.user_first_name = given('user_first_name');
    this.#own.user_last_name = given('user_last_name');
    return object({
      expires_in: 2n,
      access_token: this.#own.access_token,
      token_type: 'Bearer',
      scope: given('grant_type'),
    });
  }

  #admitted(given: Given, refuse: (error: string) => Value, act: () => Value): Value {
    if (this.#own.token_expires_in !== null && equal(this.#own.token_expires_in, 0n)) return refuse('Token expired');
    return equal(given('access_token'), this.#own.access_token) ? act() : refuse('Invalid access token');
  }

  #register(given: Given): Value {
    if (this.#own.token_expires_in === null) return failure('Token not initialized');
    return this.#admitted(given, failure, () => {
      if (this.#cards.has(given('card_number'))) return failure('Card already registered');
      const id = this.#digits(100000000000n, 999999999999n);
      const details = ['card_number', 'expiration_date', 'cardholder_name', 'card_verification_number'];
      const card = Dict.of(details.map((name): [Value, Value] => [name, given(name)]));
      card.set('balance', this.#random.int(10000n, 99999n));
      this.#cards.set(id, card);
      return object({ card_id: id });
    });
  }

  #book(given: Given): Value {
    const card = this.#cards.get(given('card_id'));
    if (!(card instanceof Dict)) return notBooked('Card not registered');
    const balance = card.get('balance');
    if (balance === undefined) return notBooked('Balance not found');
    const [from, to, date, kind] = ['travel_from', 'travel_to', 'travel_date', 'travel_class'].map(given);
    if (!isIn(from ?? null, [...airports])) return notBooked(`Invalid departure airport code: ${str(from ?? null)}`);
    if (!isIn(to ?? null, [...airports])) return notBooked(`Invalid destination airport code: ${str(to ?? null)}`);
    if (raised(() => parseDay(date ?? null)) !== null) return notBooked('Invalid date format. Use YYYY-MM-DD.');
    if (!isIn(kind ?? null, Object.keys(classes))) {
      return notBooked("Invalid travel class. Must be one of {'economy', 'business', 'first'}");
    }
    const complaint = raised(() => costOf(given));
    if (complaint !== null) return notBooked(complaint);
    const cost = costOf(given);
    if (less(balance, cost)) return notBooked('Insufficient funds');
    if (this.#own.budget_limit !== null && less(balance, this.#own.budget_limit)) {
      return notBooked('Balance is less than budget limit');
    }
    card.set('balance', binary('-', balance, cost));
    const bookingId = this.#digits(1000000n, 9999999n);
    const transactionId = this.#digits(10000000n, 99999999n);
    const details = ['card_id', 'travel_date', 'travel_from', 'travel_to', 'travel_class'];
    const booking = Dict.of(details.map((name): [Value, Value] => [name, given(name)]));
    booking.set('travel_cost', cost);
    booking.set('transaction_id', transactionId);
    this.#bookings.set(bookingId, booking);
    return object({
      booking_id: bookingId,
      transaction_id: transactionId,
      booking_status: true,
      booking_history: this.#longContext === null ? new Dict() : this.#bookings,
    });
  }

  #invoice(id: Value): Value {
    const booking = this.#bookings.get(id);
    if (booking === undefined) return failure('Booking not found');
    const details = ['travel_date', 'travel_from', 'travel_to', 'travel_class', 'travel_cost', 'transaction_id'];
    const invoice = object({ booking_id: id });
    for (const name of details) invoice.set(name, member(booking, name));
    return object({ invoice });
  }

  #cancel(id: Value): Value {
    const booking = this.#bookings.get(id);
    if (booking === undefined) return notCancelled('Booking not found');
    const [card, cost] = [member(this.#cards, member(booking, 'card_id')), member(booking, 'travel_cost')];
    if (card instanceof Dict) card.set('balance', binary('+', member(card, 'balance'), cost));
    this.#bookings.delete(id);
    return object({ cancel_status: true });
  }

  #verify(given: Given): Value {
    const [first, last] = [given('first_name'), given('last_name')];
    const { user_first_name: ownFirst, user_last_name: ownLast } = this.#own;
    if (!equal(ownFirst, first) || !equal(ownLast, last)) {
      return notVerified(
        `Cannot book flight information for another user.Expected ${str(ownFirst)} ${str(ownLast)}, got ${str(first)} ${str(last)}`,
      );
    }
    if (raised(() => parseDay(given('date_of_birth'))) !== null) {
      return notVerified('Invalid date of birth format. Please use YYYY-MM-DD.');
    }
    if (ageOn(this.#today, parseDay(given('date_of_birth'))) < 18) {
      return notVerified('Traveler must be at least 18 years old.');
    }
    if (!textOf(given('passport_number'), 'startswith').startsWith('US')) {
      return notVerified('Passport must be issued by the United States.');
    }
    return object({ verification_status: true });
  }

  #insure(given: Given): Value {
    const cost = given('insurance_cost');
    if (this.#own.budget_limit !== null && less(this.#own.budget_limit, cost))
      return notInsured('Exceeded budget limit');
    if (!this.#bookings.has(given('booking_id'))) return notInsured('Booking not found');
    const card = this.#cards.get(given('card_id'));
    if (!(card instanceof Dict)) return notInsured('Credit card not registered');
    card.set('balance', binary('-', member(card, 'balance'), cost));
    return object({ insurance_id: this.#digits(100000000n, 999999999n), insurance_status: true });
  }
}

const notBooked = (error: string): Dict => object({ booking_status: false, error });
const notCancelled = (error: string): Dict => object({ cancel_status: false, error });
const notInsured = (error: string): Dict => object({ insurance_status: false, error });
const notVerified = (why: string): Dict => object({ verification_status: false, verification_failure: why });

const classes: Readonly<Record<string, number>> = { economy: 1, business: 2, first: 5 };

/** @throws PythonFault */
function costOf(given: Given): number {
  const [from, to] = ['travel_from', 'travel_to'].map(given);
  const base = typeof from === 'string' && typeof to === 'string' ? fare(from, to) : undefined;
  if (base === undefined) throw new PythonFault('value', 'No available route for the given airports.');
  return base * factorOf(given);
}

/** Twice as much when the digits of the date have an even sum. @throws PythonFault */
function factorOf(given: Given): number {
  const kind = given('travel_class');
  const factor = typeof kind === 'string' && Object.hasOwn(classes, kind) ? classes[kind] : undefined;
  if (factor === undefined) {
    throw new PythonFault('value', 'Invalid travel class. Options are: economy, business, first.');
  }
  const digits = elements(given('travel_date')).flatMap((one) => (typeof one === 'string' ? (intOf(one) ?? []) : []));
  const isEven = digits.reduce((total, digit) => total + digit, 0n) % 2n === 0n;
  return factor * (isEven ? 2 : 1);
}

/** The message of a ValueError; null when there is none. */
function raised(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof PythonFault && error.reason === 'value') return error.message;
    throw error;
  }
}

function ageOn(today: CalendarDay, birth: CalendarDay): number {
  const isBefore = today.month < birth.month || (today.month === birth.month && today.day < birth.day);
  return today.year - birth.year - (isBefore ? 1 : 0);
}

function exchanged(from: Value, to: Value, value: Value): Value {
  const [buys, sells] = [from === 'USD' ? dollarIn.get(to) : undefined, to === 'USD' ? dollarIn.get(from) : undefined];
  if (buys !== undefined) return object({ exchanged_value: float(binary('*', value, buys)) });
  if (sells !== undefined) return object({ exchanged_value: round(binary('/', value, sells), 2n) });
  throw new PythonFault('value', 'No available exchange rate for the given currencies.');
}
