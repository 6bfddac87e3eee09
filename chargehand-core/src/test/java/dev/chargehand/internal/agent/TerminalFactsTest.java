package dev.chargehand.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.state.FactScript;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.StopReason;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which facts close what is open when a run is ended, and when nobody answered in time. */
class TerminalFactsTest {

    private static final StopReason CANCELLED = new StopReason.Cancelled("caller");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                                 | what ends the run
                                                        | stopped
              calls a                                   | a was not executed, stopped
              calls a b; open a                         | a is unknown, b was not executed, stopped
              calls a b; open a; close a                | b was not executed, stopped
              calls a; park a                           | a was not executed, stopped
              calls a; park a; decline a                | a was not executed, stopped
              calls a; open a; ask a                    | a is unknown, stopped
              calls a; open a; ask a; give a            | a is unknown, stopped
              calls agent-x; park agent-x               | agent-x was not executed, stopped
              calls agent-x; open agent-x               | agent-x is unknown with run_agent-x, stopped
              calls a; open a; close a                  | stopped
            """)
    void aRunThatIsEndedClosesItsCalls(String facts, String closing) {
        State state = FactScript.of(facts).state();
        List<Fact> found = TerminalFacts.of(
                state,
                CANCELLED,
                "",
                Spending.NOTHING,
                state.lastAt(),
                call -> TerminalFacts.endOfChild(call, CANCELLED));
        assertThat(found.stream().map(TerminalFactsTest::shown).collect(Collectors.joining(", ")))
                .isEqualTo(closing);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                                 | seconds later | answered for
              calls a; park a                           | 99            | ''
              calls a; park a                           | 100           | a
              calls a b; park a; wait 9; park b         | 90            | a
              calls a b; park a; wait 9; park b         | 100           | a b
              calls a; park a; approve a                | 1000          | ''
              calls a; park a; fail a                   | 1000          | ''
              calls a; open a                           | 1000          | ''
            """)
    void whatNobodyAnsweredInTimeIsAnsweredFor(String facts, int secondsLater, String calls) {
        State state = FactScript.of(facts).state();
        Instant now = state.lastAt().plusSeconds(secondsLater);
        List<Fact> found = TerminalFacts.ofExpired(state, now);
        assertThat(found.stream()
                        .map(Fact.CallDecided.class::cast)
                        .filter(decided -> decided.answer() == CallAnswer.EXPIRED
                                && decided.at().equals(now))
                        .map(Fact.CallDecided::callId)
                        .collect(Collectors.joining(" ")))
                .isEqualTo(calls);
    }

    private static String shown(Fact fact) {
        if (!(fact instanceof Fact.CallClosed closed)) {
            return fact.equals(new Fact.Stopped(CANCELLED, "", Spending.NOTHING, fact.at()))
                    ? "stopped"
                    : fact.toString();
        }
        String outcome = String.valueOf(closed.error()).endsWith("unknown.") ? " is unknown" : " was not executed";
        return closed.callId()
                + outcome
                + (closed.child() == null ? "" : " with " + closed.child().runId());
    }
}
