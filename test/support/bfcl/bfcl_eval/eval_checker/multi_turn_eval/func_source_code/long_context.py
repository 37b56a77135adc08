WATCH_LIST_EXTENSION = ['AAA',  'BBB',  ...]
TRANSACTION_HISTORY_EXTENSION = [{'type': 'deposit', 'amount': 5.0, 'timestamp': '2024-05-01 22:14:05'}, {'type': 'withdrawal', 'amount': 7, 'timestamp': '2023-01-01 00:00:00'}]
MA_5_EXTENSION = [1.5, 2.0]
MA_20_EXTENSION = [3.25]
TECHNOLOGY_EXTENSION = ['AAPL', 'NEW']
AUTOMOBILE_EXTENSION = ['OLD']
ORDER_DETAIL_EXTENSION = {
    "overview": """
    {symbol} makes things. People buy what {symbol} makes.
    """,
    "risks": "None for {symbol}’s owners.",
}
FILE_CONTENT_EXTENSION = " And more is said below.\nMuch more."
POPULATE_FILE_EXTENSION = ['image_1.jpg', 'image_2.jpg']
CAR_STATUS_METADATA_EXTENSION = "Wheels: 4"
LONG_WEATHER_EXTENSION={"-1_day": {"windSpeed": 15.0, "uvIndex": 6}}
PARKING_BRAKE_INSTRUCTION = "Pull it."
INTERMEDIARY_CITIES = ['Hither', 'Yon']

CREDIT_CARD_EXTENSION = {
    "1111": {
        "card_number": "1111",
        "expiration_date": "12/30",
        "cardholder_name": "A. Person",
        "card_verification_number": 123,
        "balance": 50000.0
    },
}

BOOKING_RECORD_EXTENSION = {
    "7777777": {
        "card_id": "1111",
        "travel_date": "2024-10-10",
        "travel_from": "RMS",
        "travel_to": "JFK",
        "travel_class": "economy",
        "travel_cost": 210.0,
        "transaction_id": "12345678"
    },
}

FILES_TAIL_USED = ['log.txt']
