package dev.chargehand.internal.text;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;

/** Finds numbers that carry a check, or that are written in several ways: cards, bank accounts, telephones. */
public final class CheckedNumbers {

    /** There is no match at the place, for any further text. */
    public static final int NOTHING = 0;

    /** What comes decides. */
    public static final int OPEN = -1;

    private static final BigInteger NINETY_SEVEN = BigInteger.valueOf(97);

    /** How long the account numbers of a country are. */
    private static final Map<String, Integer> IBAN_LENGTHS = Map.ofEntries(
            Map.entry("AD", 24),
            Map.entry("AE", 23),
            Map.entry("AL", 28),
            Map.entry("AT", 20),
            Map.entry("AZ", 28),
            Map.entry("BA", 20),
            Map.entry("BE", 16),
            Map.entry("BG", 22),
            Map.entry("BH", 22),
            Map.entry("BR", 29),
            Map.entry("BY", 28),
            Map.entry("CH", 21),
            Map.entry("CR", 22),
            Map.entry("CY", 28),
            Map.entry("CZ", 24),
            Map.entry("DE", 22),
            Map.entry("DK", 18),
            Map.entry("DO", 28),
            Map.entry("EE", 20),
            Map.entry("EG", 29),
            Map.entry("ES", 24),
            Map.entry("FI", 18),
            Map.entry("FO", 18),
            Map.entry("FR", 27),
            Map.entry("GB", 22),
            Map.entry("GE", 22),
            Map.entry("GI", 23),
            Map.entry("GL", 18),
            Map.entry("GR", 27),
            Map.entry("GT", 28),
            Map.entry("HR", 21),
            Map.entry("HU", 28),
            Map.entry("IE", 22),
            Map.entry("IL", 23),
            Map.entry("IQ", 23),
            Map.entry("IS", 26),
            Map.entry("IT", 27),
            Map.entry("JO", 30),
            Map.entry("KW", 30),
            Map.entry("KZ", 20),
            Map.entry("LB", 28),
            Map.entry("LI", 21),
            Map.entry("LT", 20),
            Map.entry("LU", 20),
            Map.entry("LV", 21),
            Map.entry("LY", 25),
            Map.entry("MC", 27),
            Map.entry("MD", 24),
            Map.entry("ME", 22),
            Map.entry("MK", 19),
            Map.entry("MR", 27),
            Map.entry("MT", 31),
            Map.entry("MU", 30),
            Map.entry("NL", 18),
            Map.entry("NO", 15),
            Map.entry("PK", 24),
            Map.entry("PL", 28),
            Map.entry("PS", 29),
            Map.entry("PT", 25),
            Map.entry("QA", 29),
            Map.entry("RO", 24),
            Map.entry("RS", 22),
            Map.entry("SA", 24),
            Map.entry("SC", 31),
            Map.entry("SE", 24),
            Map.entry("SI", 19),
            Map.entry("SK", 24),
            Map.entry("SM", 27),
            Map.entry("ST", 25),
            Map.entry("SV", 28),
            Map.entry("TL", 23),
            Map.entry("TN", 24),
            Map.entry("TR", 26),
            Map.entry("UA", 29),
            Map.entry("VA", 22),
            Map.entry("VG", 24),
            Map.entry("XK", 20));

    private static final int LONGEST_CARD = 19;
    private static final int SHORTEST_CARD = 13;
    private static final int LONGEST_PHONE = 15;
    private static final int SHORTEST_PHONE = 8;

    private CheckedNumbers() {}

    /**
     * Find the number of a payment card: 13 to 19 digits, perhaps in groups, with the first of an issuer and Luhn's
     * sum.
     */
    public static int card(CharSequence text, int at, boolean ends) {
        StringBuilder digits = new StringBuilder();
        int found = NOTHING;
        int i = at;
        while (i < text.length() && digits.length() <= LONGEST_CARD) {
            char c = text.charAt(i);
            if (isDigit(c)) {
                digits.append(c);
                boolean whole = i + 1 == text.length() ? ends : !isDigit(text.charAt(i + 1));
                if (whole && isCard(digits)) {
                    found = i + 1 - at;
                }
            } else if (!(c == ' ' || c == '-') || digits.isEmpty() || !isDigit(text.charAt(i - 1))) {
                return found;
            }
            i++;
        }
        boolean open = i == text.length() && !ends && !digits.isEmpty() && digits.length() <= LONGEST_CARD;
        return open ? OPEN : found;
    }

    private static boolean isCard(CharSequence digits) {
        if (digits.length() < SHORTEST_CARD || digits.length() > LONGEST_CARD) {
            return false;
        }
        char first = digits.charAt(0);
        if (first < '2' || first > '6') {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(digits.length() - 1 - i) - '0';
            int doubled = i % 2 == 0 ? digit : digit * 2;
            sum += doubled > 9 ? doubled - 9 : doubled;
        }
        return sum % 10 == 0;
    }

    /** Find an IBAN, perhaps in groups, whose check digits are right. */
    public static int iban(CharSequence text, int at, boolean ends) {
        StringBuilder iban = new StringBuilder();
        int length = Integer.MAX_VALUE;
        int i = at;
        while (i < text.length() && iban.length() < length) {
            char c = text.charAt(i);
            if (isLetter(c) || isDigit(c)) {
                iban.append(c);
                boolean fits = iban.length() <= 2 ? isLetter(c) : iban.length() > 4 || isDigit(c);
                if (iban.length() == 2) {
                    length = IBAN_LENGTHS.getOrDefault(iban.toString().toUpperCase(Locale.ROOT), 0);
                }
                if (!fits) {
                    return NOTHING;
                }
            } else if (!(c == ' ' || c == '-') || iban.length() < 4 || !isWord(text.charAt(i - 1))) {
                return NOTHING;
            }
            i++;
        }
        if (length == 0) {
            return NOTHING;
        }
        if (i == text.length() && !ends) {
            return OPEN;
        }
        boolean whole = iban.length() == length && (i == text.length() || !isWord(text.charAt(i)));
        return whole && isChecked(iban.toString().toUpperCase(Locale.ROOT)) ? i - at : NOTHING;
    }

    private static boolean isChecked(String iban) {
        StringBuilder number = new StringBuilder();
        for (char c : (iban.substring(4) + iban.substring(0, 4)).toCharArray()) {
            number.append(Character.digit(c, 36));
        }
        return new BigInteger(number.toString()).mod(NINETY_SEVEN).equals(BigInteger.ONE);
    }

    /** Find a telephone number with its country: {@code +} or {@code 00}, then 8 to 15 digits, perhaps in groups. */
    public static int phone(CharSequence text, int at, boolean ends) {
        int i = at;
        if (text.charAt(i) == '+') {
            i++;
        } else if (text.charAt(i) == '0') {
            if (i + 1 == text.length()) {
                return ends ? NOTHING : OPEN;
            }
            if (text.charAt(i + 1) != '0') {
                return NOTHING;
            }
            i += 2;
        } else {
            return NOTHING;
        }
        int begin = i;
        int digits = 0;
        int between = 0;
        int found = NOTHING;
        while (i < text.length() && digits <= LONGEST_PHONE) {
            char c = text.charAt(i);
            if (isDigit(c) && !(i == begin && c == '0')) {
                digits++;
                between = 0;
                boolean whole = i + 1 == text.length() ? ends : !isDigit(text.charAt(i + 1));
                if (whole && digits >= SHORTEST_PHONE && digits <= LONGEST_PHONE) {
                    found = i + 1 - at;
                }
            } else if (" .-/()".indexOf(c) < 0 || i == begin || ++between > 2) {
                return found;
            }
            i++;
        }
        return i == text.length() && !ends && digits <= LONGEST_PHONE ? OPEN : found;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    public static boolean isWord(char c) {
        return isDigit(c) || isLetter(c);
    }
}
