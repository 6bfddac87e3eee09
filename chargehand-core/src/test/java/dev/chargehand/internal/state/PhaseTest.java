package dev.chargehand.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run may do next, as its facts say: ask its model, act on calls, decide about the step, wait, or nothing. */
class PhaseTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                                          | next   | status    | step
                                                                 | ASK    | RUNNING   | 1
              resume                                             | ASK    | RUNNING   | 1
              answer Hi                                          | DECIDE | RUNNING   | 1
              answer Hi; over                                    | ASK    | RUNNING   | 2
              answer Hi; over last                               | ASK    | RUNNING   | 2
              answer Hi; over finished                           | END    | COMPLETED | 1
              cut Half                                           | DECIDE | RUNNING   | 1
              cut-calls a                                        | DECIDE | RUNNING   | 1
              answer Hi; over last; calls a                      | DECIDE | RUNNING   | 2
              calls a                                            | ACT    | RUNNING   | 1
              calls a; open a                                    | ACT    | RUNNING   | 1
              calls a; open a; close a                           | DECIDE | RUNNING   | 1
              calls a; fail a                                    | DECIDE | RUNNING   | 1
              calls a b; open a; close a                         | ACT    | RUNNING   | 1
              calls a; park a                                    | ACT    | RUNNING   | 1
              calls a; park a; suspend                           | ACT    | SUSPENDED | 1
              calls a; park a; suspend; approve a                | ACT    | RUNNING   | 1
              calls a; park a; suspend; resume                   | ACT    | RUNNING   | 1
              calls a; open a; close a; over                     | ASK    | RUNNING   | 2
              calls agent-x; open agent-x; bail agent-x 1        | DECIDE | RUNNING   | 1
              refuse                                             | ASK    | RUNNING   | 1
              stop                                               | END    | ABORTED   | 0
              answer Hi; stop                                    | END    | ABORTED   | 1
            """)
    void aRunNeedsNext(String facts, Phase next, String status, int step) {
        State state = FactScript.of(facts).state();
        assertThat(state.phase()).isEqualTo(next);
        assertThat(state.status()).hasToString(status);
        assertThat(state.stepNumber()).isEqualTo(step);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", nullValues = "-", textBlock = """
            # the facts                                          | to be opened | to be executed | not over | waiting
              answer Hi                                          | ''           | ''             | ''       | false
              calls a b                                          | a b          | ''             | a b      | false
              calls a b; open a                                  | b            | a              | a b      | false
              calls a b; open a; open b                          | ''           | a b            | a b      | true
              calls a b; open b; close b                         | a            | ''             | a        | false
              calls a b; park a                                  | b            | ''             | a b      | false
              calls a; park a                                    | ''           | ''             | a        | true
              calls a; park a; approve a                         | a            | ''             | a        | false
              calls a; park a; decline a                         | a            | ''             | a        | false
              calls a; park a; approve a; open a                 | ''           | a              | a        | true
              calls a; open a; ask a                             | ''           | ''             | a        | true
              calls a; open a; ask a; give a                     | a            | ''             | a        | false
              calls a; open a; ask a; give a; open a             | ''           | a              | a        | true
              calls a; open a; ask a; give a; open a; ask a      | ''           | ''             | a        | true
              calls a; park a; fail a                            | ''           | ''             | ''       | false
              calls a; open a; close a                           | ''           | ''             | ''       | false
              cut-calls a                                        | ''           | ''             | ''       | false
            """)
    void itsCallsAre(String facts, String unopened, String runnable, String pending, boolean waiting) {
        State state = FactScript.of(facts).state();
        assertThat(ids(state.unopened())).isEqualTo(unopened);
        assertThat(ids(state.runnable())).isEqualTo(runnable);
        assertThat(ids(state.pendingCalls())).isEqualTo(pending);
        assertThat(state.isWaiting()).isEqualTo(waiting);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                                          | has started | seconds later | too late
              calls a                                            | false     | 1000          | false
              calls a; open a                                    | false     | 1000          | false
              calls a; park a                                    | false     | 99            | false
              calls a; park a                                    | false     | 100           | true
              calls a; park a; approve a                         | false     | 1000          | false
              calls a; open a; ask a                             | true      | 99            | false
              calls a; open a; ask a                             | true      | 100           | true
              calls a; open a; ask a; give a                     | true      | 1000          | false
              calls a; open a; ask a; fail a                     | true      | 1000          | false
            """)
    void aCallThatWaits(String facts, boolean started, int secondsLater, boolean expired) {
        State state = FactScript.of(facts).state();
        CallState call = state.call("a").orElseThrow();
        assertThat(call.hasStarted()).isEqualTo(started);
        assertThat(call.isExpired(state.lastAt().plusSeconds(secondsLater))).isEqualTo(expired);
    }

    private static String ids(List<CallState> calls) {
        return calls.stream().map(CallState::callId).collect(Collectors.joining(" "));
    }
}
