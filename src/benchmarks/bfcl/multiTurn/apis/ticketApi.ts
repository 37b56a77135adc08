import { binary } from '../../python/arithmetic.ts';
import { isTrue } from '../../python/evaluate.ts';
import { PythonFault } from '../../python/fault.ts';
import { str } from '../../python/text/repr.ts';
import { Dict, equal, kindOf, type Value } from '../../python/value.ts';
import { failure, lower, member, object, type Api, type Method } from '../api.ts';
import { listOf, valueOf } from '../scenario.ts';
import { less, more } from '../values.ts';

/** Support tickets of the logged-in user. */
export class TicketApi implements Api {
  readonly #queue: Value[];
  #counter: Value;
  #user: Value;

  constructor(scenario: Dict) {
    this.#queue = listOf(scenario, 'ticket_queue', []);
    this.#counter = valueOf(scenario, 'ticket_counter', 1n);
    this.#user = valueOf(scenario, 'current_user', null);
  }

  state(): Record<string, Value> {
    return { ticket_queue: this.#queue, ticket_counter: this.#counter, current_user: this.#user };
  }

  readonly methods: Record<string, Method> = {
    create_ticket: {
      parameters: ['title', ['description', ''], ['priority', 1n]],
      run: (given) => this.#create(given('title'), given('description'), given('priority')),
    },
    get_ticket: { parameters: ['ticket_id'], run: (given) => this.#with(given('ticket_id'), (ticket) => ticket) },
    close_ticket: {
      parameters: ['ticket_id'],
      run: (given) =>
        this.#with(given('ticket_id'), (ticket, id) => {
          if (member(ticket, 'status') === 'Closed') return failure(`Ticket with ID ${id} is already closed.`);
          ticket.set('status', 'Closed');
          return object({ status: `Ticket ${id} has been closed successfully.` });
        }),
    },
    resolve_ticket: {
      parameters: ['ticket_id', 'resolution'],
      run: (given) =>
        this.#with(given('ticket_id'), (ticket, id) => {
          if (member(ticket, 'status') === 'Resolved') return failure(`Ticket with ID ${id} is already resolved.`);
          ticket.set('status', 'Resolved');
          ticket.set('resolution', given('resolution'));
          return object({ status: `Ticket ${id} has been resolved successfully.` });
        }),
    },
    edit_ticket: {
      parameters: ['ticket_id', 'updates'],
      run: (given) => this.#with(given('ticket_id'), (ticket, id) => edit(ticket, id, given('updates'))),
    },
    ticket_login: {
      parameters: ['username', 'password'],
      run: (given) => {
        const success = isTrue(given('username')) && isTrue(given('password'));
        if (success) this.#user = given('username');
        return object({ success });
      },
    },
    ticket_get_login_status: { parameters: [], run: () => object({ login_status: isTrue(this.#user) }) },
    logout: {
      parameters: [],
      run: () => {
        const success = isTrue(this.#user);
        if (success) this.#user = null;
        return object({ success });
      },
    },
    get_user_tickets: { parameters: [['status', null]], run: (given) => this.#own(given('status')) },
  };

  #create(title: Value, description: Value, priority: Value): Value {
    if (!isTrue(this.#user)) return failure('User not authenticated. Please log in to create a ticket.');
    if (less(priority, 1n) || more(priority, 5n)) {
      return failure('Invalid priority. Priority must be between 1 and 5.');
    }
    const ticket = object({
      id: this.#counter,
      title,
      description,
      status: 'Open',
      priority,
      created_by: this.#user,
    });
    this.#queue.push(ticket);
    this.#counter = binary('+', this.#counter, 1n);
    return ticket;
  }

  #with(id: Value, act: (ticket: Dict, id: string) => Value): Value {
    const ticket = this.#queue.find((one) => equal(member(one, 'id'), id));
    return ticket instanceof Dict ? act(ticket, str(id)) : failure(`Ticket with ID ${str(id)} not found.`);
  }

  #own(status: Value): Value {
    if (!isTrue(this.#user)) return [failure('User not authenticated. Please log in to view tickets.')];
    const own = this.#queue.filter((ticket) => equal(member(ticket, 'created_by'), this.#user));
    if (!isTrue(status)) return own;
    return own.filter((ticket) => lower(member(ticket, 'status')) === lower(status));
  }
}

const fields = ['title', 'description', 'status', 'priority'];

function edit(ticket: Dict, id: string, updates: Value): Value {
  if (!(updates instanceof Dict)) throw new PythonFault('value', `'${kindOf(updates)}' object has no attribute 'keys'`);
  const invalid = updates.keys().filter((key) => typeof key !== 'string' || !fields.includes(key));
  if (invalid.length > 0) return failure(`Invalid fields for update: ${invalid.map(str).join(', ')}`);
  for (const [key, value] of updates) {
    if (value !== null) ticket.set(key, value);
  }
  return object({ status: `Ticket ${id} has been updated successfully.` });
}
