import { binary } from '../../python/arithmetic.ts';
import { isTrue, order } from '../../python/evaluate.ts';
import { PythonFault } from '../../python/fault.ts';
import { kindOf, equal, isIn, Dict, type Value } from '../../python/value.ts';
import { failure, member, object, type Api, type Given, type Method, type Surroundings } from '../api.ts';
import type { LongContext } from './longContext.ts';
import { PythonRandom } from './pythonRandom.ts';
import { distances, zipCodes } from './places.ts';
import { copyOf, dictOf, seedOf, valueOf } from '../scenario.ts';
import { elements, float, less, more } from '../values.ts';

/** Public attributes with what they begin with, by the name that a record uses. */
const beginnings = {
  fuelLevel: 0,
  batteryVoltage: 12.6,
  engineState: 'stopped',
  acTemperature: 25,
  fanSpeed: 50n,
  acMode: 'auto',
  humidityLevel: 50,
  headLightStatus: 'off',
  parkingBrakeStatus: 'released',
  brakePedalStatus: 'released',
  distanceToNextVehicle: 50,
  cruiseStatus: 'inactive',
  destination: 'None',
  frontLeftTirePressure: 32,
  frontRightTirePressure: 32,
  rearLeftTirePressure: 30,
  rearRightTirePressure: 30,
} as const;
type Attribute = keyof typeof beginnings;

const mostFuel = 50n;
const milesPerGallon = 20;

/** A car. */
export class VehicleControlApi implements Api {
  readonly #random: PythonRandom;
  readonly #doors: Dict;
  #unlocked: Value;
  readonly #at: Record<Attribute, Value>;
  #parkingForce: Value;
  #slope: Value;
  #pedalForce: Value;
  readonly #longContext: LongContext | null;

  constructor(scenario: Dict, { longContext }: Pick<Surroundings, 'longContext'>) {
    this.#longContext = longContext;
    this.#random = new PythonRandom(seedOf(scenario, 141053n));
    const closed = { driver: 'unlocked', passenger: 'unlocked', rear_left: 'unlocked', rear_right: 'unlocked' };
    this.#doors = dictOf(scenario, 'doorStatus', closed);
    this.#unlocked = 4n - BigInt(this.#doors.values().filter((status) => status === 'locked').length);
    const own = (name: Attribute): Value => valueOf(scenario, name, beginnings[name]);
    this.#at = {
      fuelLevel: own('fuelLevel'),
      batteryVoltage: own('batteryVoltage'),
      engineState: own('engineState'),
      acTemperature: own('acTemperature'),
      fanSpeed: own('fanSpeed'),
      acMode: own('acMode'),
      humidityLevel: own('humidityLevel'),
      headLightStatus: own('headLightStatus'),
      parkingBrakeStatus: own('parkingBrakeStatus'),
      brakePedalStatus: own('brakePedalStatus'),
      distanceToNextVehicle: own('distanceToNextVehicle'),
      cruiseStatus: own('cruiseStatus'),
      destination: own('destination'),
      frontLeftTirePressure: own('frontLeftTirePressure'),
      frontRightTirePressure: own('frontRightTirePressure'),
      rearLeftTirePressure: own('rearLeftTirePressure'),
      rearRightTirePressure: own('rearRightTirePressure'),
    };
    this.#parkingForce = valueOf(scenario, 'parkingBrakeForce', 0);
    this.#slope = valueOf(scenario, 'slopeAngle', 0);
    this.#pedalForce = valueOf(scenario, 'brakePedalForce', 0);
  }

  state(): Record<string, Value> {
    return { ...this.#at, doorStatus: this.#doors, remainingUnlockedDoors: this.#unlocked };
  }

  readonly methods: Record<string, Method> = {
    startEngine: { parameters: ['ignitionMode'], run: (given) => this.#start(given('ignitionMode')) },
    fillFuelTank: { parameters: ['fuelAmount'], run: (given) => this.#fill(given('fuelAmount')) },
    lockDoors: {
      parameters: ['unlock', 'door'],
      run: (given) => this.#lock(isTrue(given('unlock')) ? 'unlocked' : 'locked', elements(given('door'))),
    },
    adjustClimateControl: {
      parameters: ['temperature', ['unit', 'celsius'], ['fanSpeed', 50n], ['mode', 'auto']],
      run: (given) => this.#climate(given),
    },
    get_outside_temperature_from_google: {
      parameters: [],
      run: () => {
        const weather = this.#longContext === null ? object({}) : copyOf(this.#longContext.weather);
        weather.set('outsideTemperature', this.#random.uniform(-10, 40));
        return weather;
      },
    },
    get_outside_temperature_from_weather_com: { parameters: [], run: () => object({ error: 404n }) },
    setHeadlights: { parameters: ['mode'], run: (given) => this.#headlights(given('mode')) },
    displayCarStatus: {
      parameters: ['option'],
      run: (given) => {
        const told = this.#longContext === null ? [] : [['metadata', this.#longContext.car] as const];
        return Dict.of([...told, ...this.#status(given('option'))]);
      },
    },
    activateParkingBrake: { parameters: ['mode'], run: (given) => this.#parkingBrake(given('mode')) },
    pressBrakePedal: { parameters: ['pedalPosition'], run: (given) => this.#press(given('pedalPosition')) },
    releaseBrakePedal: { parameters: [], run: () => this.#release() },
    setCruiseControl: {
      parameters: ['speed', 'activate', 'distanceToNextVehicle'],
      run: (given) => this.#cruise(given),
    },
    get_current_speed: { parameters: [], run: () => object({ currentSpeed: this.#random.uniform(0, 120) }) },
    display_log: { parameters: ['messages'], run: (given) => object({ log: given('messages') }) },
    estimate_drive_feasibility_by_mileage: {
      parameters: ['distance'],
      run: (given) => object({ canDrive: !less(binary('*', this.#at.fuelLevel, milesPerGallon), given('distance')) }),
    },
    liter_to_gallon: {
      parameters: ['liter'],
      run: (given) => object({ gallon: binary('*', given('liter'), 0.264172) }),
    },
    gallon_to_liter: {
      parameters: ['gallon'],
      run: (given) => object({ liter: binary('*', given('gallon'), 3.78541) }),
    },
    estimate_distance: {
      parameters: ['cityA', 'cityB'],
      run: (given) => {
        const distance = distances(given('cityA'), given('cityB'));
        const told = distance === null ? failure('distance not found in database.') : object({ distance });
        if (this.#longContext !== null) told.set('intermediaryCities', [...this.#longContext.cities]);
        return told;
      },
    },
    get_zipcode_based_on_city: {
      parameters: ['city'],
      run: (given) => object({ zipcode: zipCodes.get(hashable(given('city'))) ?? '00000' }),
    },
    set_navigation: {
      parameters: ['destination'],
      run: (given) => {
        this.#at.destination = given('destination');
        if (typeof this.#at.destination === 'string') {
          return object({ status: `Navigating to ${this.#at.destination}` });
        }
        throw new PythonFault('type', `can only concatenate str (not "${kindOf(this.#at.destination)}") to str`);
      },
    },
    check_tire_pressure: { parameters: [], run: () => this.#tires() },
    find_nearest_tire_shop: {
      parameters: [],
      run: () => object({ shopLocation: '456 Oakwood Avenue, Rivermist, 83214' }),
    },
  };

  #start(mode: Value): Value {
    if (mode === 'STOP') this.#at.engineState = 'stopped';
    if (more(this.#unlocked, 0n)) {
      const open = Array.from(this.#doors).flatMap(([door, status]) =>
        status === 'unlocked' && typeof door === 'string' ? [door] : [],
      );
      return failure(
        `All doors must be locked before starting the engine. Here are the unlocked doors: ${open.join(', ')}`,
      );
    }
    if (this.#at.brakePedalStatus !== 'pressed') {
      return failure('Brake pedal needs to be pressed when starting the engine.');
    }
    if (!equal(this.#pedalForce, 1000)) return failure('Must press the brake fully before starting the engine.');
    if (less(this.#at.fuelLevel, 0)) return failure('Fuel tank is empty.');
    if (mode !== 'START') return failure('Invalid ignition mode.');
    this.#at.engineState = 'running';
    const { engineState, fuelLevel, batteryVoltage } = this.#at;
    return object({ engineState, fuelLevel, batteryVoltage });
  }

  #fill(amount: Value): Value {
    if (less(amount, 0n)) return failure('Fuel amount cannot be negative.');
    const level = binary('+', this.#at.fuelLevel, amount);
    if (more(level, mostFuel)) return failure('Cannot fill gas above the tank capacity.');
    if (less(level, 0)) return failure('Fuel tank is empty. Min fuel level is 0 gallons.');
    this.#at.fuelLevel = level;
    return object({ fuelLevel: level });
  }

  #lock(status: 'unlocked' | 'locked', doors: readonly Value[]): Value {
    for (const door of doors) {
      if (member(this.#doors, door) === status) continue;
      this.#doors.set(door, status);
      this.#unlocked = binary(status === 'unlocked' ? '+' : '-', this.#unlocked, 1n);
    }
    return object({ lockStatus: status, remainingUnlockedDoors: this.#unlocked });
  }

  #climate(given: Given): Value {
    const [temperature, fanSpeed, mode] = [given('temperature'), given('fanSpeed'), given('mode')];
    if (order(fanSpeed, 0n) < 0 || order(fanSpeed, 100n) > 0) return failure('Fan speed must be between 0 and 100.');
    this.#at.acTemperature = temperature;
    if (given('unit') === 'fahrenheit') {
      this.#at.acTemperature = binary('/', binary('*', binary('-', temperature, 32n), 5n), 9n);
    }
    this.#at.fanSpeed = fanSpeed;
    this.#at.acMode = mode;
    return object({ currentACTemperature: temperature, climateMode: mode, humidityLevel: this.#at.humidityLevel });
  }

  #headlights(mode: Value): Value {
    if (!isIn(mode, ['on', 'off', 'auto'])) return failure('Invalid headlight mode.');
    this.#at.headLightStatus = mode === 'on' ? 'on' : 'off';
    return object({ headlightStatus: this.#at.headLightStatus });
  }

  #status(option: Value): Dict {
    const { fuelLevel, batteryVoltage, acTemperature, fanSpeed, acMode, humidityLevel } = this.#at;
    switch (option) {
      case 'fuel':
        return object({ fuelLevel });
      case 'battery':
        return object({ batteryVoltage });
      case 'doors':
        return object({ doorStatus: this.#doors });
      case 'climate':
        return object({ currentACTemperature: acTemperature, fanSpeed, climateMode: acMode, humidityLevel });
      case 'headlights':
        return object({ headlightStatus: this.#at.headLightStatus });
      case 'parkingBrake':
        return object({
          parkingBrakeStatus: this.#at.parkingBrakeStatus,
          parkingBrakeForce: this.#parkingForce,
          slopeAngle: this.#slope,
        });
      case 'brakePedal':
        return object({ brakePedalStatus: this.#at.brakePedalStatus, brakePedalForce: this.#pedalForce });
      case 'engine':
        return object({ engineState: this.#at.engineState });
      default:
        return failure('Invalid option');
    }
  }

  #parkingBrake(mode: Value): Value {
    if (mode !== 'engage' && mode !== 'release') return failure('Invalid mode');
    this.#at.parkingBrakeStatus = mode === 'engage' ? 'engaged' : 'released';
    this.#parkingForce = mode === 'engage' ? 500 : 0;
    this.#slope = 10;
    return object({
      ...(this.#longContext !== null && { parkingBrakeInstruction: this.#longContext.parkingBrake }),
      parkingBrakeStatus: this.#at.parkingBrakeStatus,
      _parkingBrakeForce: this.#parkingForce,
      _slopeAngle: this.#slope,
    });
  }

  #press(position: Value): Value {
    if (order(position, 0n) < 0 || order(position, 1n) > 0) {
      return failure('Pedal position must be between 0 and 1.');
    }
    if (equal(position, 0n)) return this.#release();
    this.#at.brakePedalStatus = 'pressed';
    this.#pedalForce = binary('*', position, 1000n);
    return object({ brakePedalStatus: 'pressed', brakePedalForce: float(this.#pedalForce) });
  }

  #release(): Value {
    this.#at.brakePedalStatus = 'released';
    this.#pedalForce = 0;
    return object({ brakePedalStatus: 'released', brakePedalForce: 0 });
  }

  #cruise(given: Given): Value {
    const [distance, speed] = [float(given('distanceToNextVehicle')), float(given('speed'))];
    if (this.#at.engineState === 'stopped') {
      return failure('Start the engine before activating the cruise control.');
    }
    this.#at.distanceToNextVehicle = distance;
    const isActive = isTrue(given('activate'));
    if (isActive && (speed < 0 || speed > 120 || speed % 5 !== 0)) return failure('Invalid speed');
    this.#at.cruiseStatus = isActive ? 'active' : 'inactive';
    return object({ cruiseStatus: this.#at.cruiseStatus, currentSpeed: speed, distanceToNextVehicle: distance });
  }

  #tires(): Value {
    const { frontLeftTirePressure, frontRightTirePressure, rearLeftTirePressure, rearRightTirePressure } = this.#at;
    const all = { frontLeftTirePressure, frontRightTirePressure, rearLeftTirePressure, rearRightTirePressure };
    const [first = null, ...others] = Object.values(all);
    const mean = binary(
      '/',
      others.reduce((total, one) => binary('+', total, one), first),
      4n,
    );
    const isHealthy = order(mean, 30n) >= 0 && order(mean, 35n) <= 0;
    return object({ ...all, healthy_tire_pressure: isHealthy, car_info: this.#longContext?.car ?? object({}) });
  }
}

const hashable = (value: Value): Value => (typeof value === 'string' ? value : null);
