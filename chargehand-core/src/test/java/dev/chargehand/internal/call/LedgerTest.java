package dev.chargehand.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.Budget;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Limits;
import dev.chargehand.run.StopReason;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a tree of runs may still spend, given what it has.
 *
 * <p>What it may spend is written as {@code limit modelCalls 2} or {@code budget tokens 100}; what it spends as {@code
 * model}, {@code tool}, {@code write CHARACTERS}, {@code debit TOKENS COST}, or {@code earlier} with the model calls,
 * tool calls, characters, tokens and cost of another process. {@code model} and {@code tool} are asked for first.
 */
class LedgerTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # it may spend                      | it spends                      | refused | why no model is called any more
                                                |                                | ''      | none
              limit modelCalls 2                | model                          | ''      | none
              limit modelCalls 2                | model; model                   | ''      | limit modelCalls
              limit modelCalls 2                | model; model; model            | model   | limit modelCalls
              budget calls 2                    | model; model; model            | model   | budget calls
              limit modelCalls 2; budget calls 2 | model; model                  | ''      | budget calls
              limit modelCalls 2; budget calls 3 | model; model                  | ''      | limit modelCalls
              limit toolCalls 1                 | tool                           | ''      | none
              limit toolCalls 1                 | tool; tool                     | tool    | limit toolCalls
              limit output 5                    | write 5                        | ''      | none
              limit output 5                    | write 3; write 3               | write   | limit output
              budget tokens 100                 | debit 99 0                     | ''      | none
              budget tokens 100                 | debit 99 0; debit 1 0          | ''      | budget tokens
              budget tokens 100                 | debit 500 0; model             | model   | budget tokens
              budget cost 1.50                  | debit 1 1.49                   | ''      | none
              budget cost 1.50                  | debit 1 1.5                    | ''      | budget cost
              budget tokens 100                 | debit 9223372036854775807 0; debit 9 0 | ''      | budget tokens
              limit modelCalls 2                | earlier 2 0 0 0 0              | ''      | limit modelCalls
              limit toolCalls 1                 | earlier 0 1 0 0 0; tool        | tool    | limit toolCalls
              limit output 5                    | earlier 0 0 4 0 0; write 2     | write   | limit output
              budget tokens 100                 | earlier 0 0 0 60 0; debit 40 0 | ''      | budget tokens
              budget cost 1.50                  | earlier 0 0 0 0 1; debit 0 0.5 | ''      | budget cost
              limit output 5; limit toolCalls 1; budget tokens 1 | tool; tool; write 6; debit 1 0 | tool write | limit output
              limit toolCalls 1; budget tokens 1 | tool; tool; debit 1 0         | tool    | limit toolCalls
              budget tokens 1; budget cost 1; budget calls 1 | model; debit 1 1  | ''      | budget tokens
              budget cost 1; budget calls 1     | model; debit 1 1               | ''      | budget cost
            """)
    void spendingEnds(@Nullable String allowed, @Nullable String spends, String refused, String why) {
        Ledger ledger = ledger(allowed);
        List<String> no = new ArrayList<>();
        for (String each : words(spends)) {
            if (!spend(ledger, each.split(" ", -1))) {
                no.add(each.split(" ", -1)[0]);
            }
        }
        assertThat(String.join(" ", no)).as("refused").isEqualTo(refused);
        assertThat(ledger.spentOut().map(LedgerTest::shown).orElse("none")).isEqualTo(why);
    }

    private static String[] words(@Nullable String text) {
        return text == null ? new String[0] : text.split("; ");
    }

    private static Ledger ledger(@Nullable String allowed) {
        Limits limits = Limits.DEFAULT;
        Budget budget = Budget.NONE;
        for (String each : words(allowed)) {
            String[] parts = each.split(" ", -1);
            if (parts[0].equals("limit")) {
                limits = limits.with(limit(parts[1]), Long.parseLong(parts[2]));
            } else {
                budget = switch (parts[1]) {
                    case "tokens" -> budget.tokens(Long.parseLong(parts[2]));
                    case "cost" -> budget.cost(new BigDecimal(parts[2]));
                    default -> budget.calls(Integer.parseInt(parts[2]));
                };
            }
        }
        return new Ledger(limits, budget);
    }

    private static Limit limit(String key) {
        for (Limit limit : Limit.values()) {
            if (limit.key().equals(key)) {
                return limit;
            }
        }
        throw new IllegalArgumentException("No such limit: " + key);
    }

    private static boolean spend(Ledger ledger, String... words) {
        return switch (words[0]) {
            case "model" -> ledger.reserveModelCall().isEmpty();
            case "tool" -> ledger.reserveToolCall();
            case "write" -> ledger.addOutput(Long.parseLong(words[1]));
            case "debit" -> {
                ledger.debit(Long.parseLong(words[1]), new BigDecimal(words[2]));
                yield true;
            }
            case "earlier" -> {
                ledger.enter(
                        Integer.parseInt(words[1]),
                        Integer.parseInt(words[2]),
                        Long.parseLong(words[3]),
                        Long.parseLong(words[4]),
                        new BigDecimal(words[5]));
                yield true;
            }
            default -> throw new IllegalArgumentException("No such spending: " + words[0]);
        };
    }

    private static String shown(StopReason reason) {
        return switch (reason) {
            case StopReason.LimitReached limit -> "limit " + limit.which();
            case StopReason.BudgetExhausted budget -> "budget " + budget.which();
            default -> reason.toString();
        };
    }

    @Test
    void tasksTogetherAreGrantedNoMoreThanIsLeft() {
        Ledger ledger = new Ledger(Limits.DEFAULT, Budget.NONE.tokens(100).cost(new BigDecimal("1.00")));
        Budget first = ledger.grant(Budget.NONE).orElseThrow();
        assertThat(first.tokens()).isEqualTo(50);
        assertThat(first.cost()).isEqualByComparingTo("0.50");
        assertThat(ledger.grant(Budget.NONE.tokens(10)).orElseThrow().tokens()).isEqualTo(10);
        assertThat(ledger.grant(Budget.NONE.tokens(1000)).orElseThrow().tokens())
                .isEqualTo(40);
        assertThat(ledger.grant(Budget.NONE)).as("all is granted").isEmpty();

        ledger.giveBack(first, 30, new BigDecimal("0.10"));
        assertThat(ledger.grant(Budget.NONE.tokens(1000)).orElseThrow().tokens())
                .as("what the first task has not used")
                .isEqualTo(20);
        ledger.giveBack(first, 90, new BigDecimal("9"));
        assertThat(ledger.grant(Budget.NONE))
                .as("a task that used more returns nothing")
                .isEmpty();
    }
}
