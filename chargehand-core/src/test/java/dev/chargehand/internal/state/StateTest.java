package dev.chargehand.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.internal.fact.Spending;
import dev.chargehand.run.BailStrategy;
import java.math.BigDecimal;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the facts of a run add up to: its answer, what it used up, and how long it was worked on. */
class StateTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                                                                   | the answer
                                                                                          | ''
              answer Hi; over                                                             | Hi
              answer Hi; over; answer Ho; over finished                                   | Ho
              answer Hi; over; answer ; over finished                                     | ''
              answer Hi; over last; answer ; over finished                                | Hi
              answer Hi; over last; answer Ho; over finished                              | Ho
              answer Hi; pass Hello; over finished                                        | Hello
              answer Hi; withhold; over finished                                          | Hi
              answer Hi; withhold; stop                                                   | ''
              stop Half a                                                                 | Half a
              answer Hi; over; stop Half a                                                | Half a
              calls a; park a; suspend                                                    | ''
              calls agent-x; open agent-x; bail agent-x 1; over bailed agent-x            | did agent-x
              calls agent-x; open agent-x; bail agent-x 1; pass Hello; over bailed agent-x | Hello
            """)
    void theAnswerOfARunIs(String facts, String answer) {
        assertThat(FactScript.of(facts).state().text()).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                                        | model calls | tool calls | characters | cost | tokens
                                                               | 0           | 0          | 0          | 0    | 0
              answer Hi                                        | 1           | 0          | 2          | 0.5  | 15
              attempts 3; answer Hi                            | 3           | 0          | 2          | 0.5  | 15
              answer Hi; over; answer Ho                       | 2           | 0          | 4          | 1.0  | 30
              calls a b                                        | 1           | 0          | 4          | 0.5  | 15
              calls a b; open a                                | 1           | 1          | 4          | 0.5  | 15
              calls a b; open a; open b; close a; close b      | 1           | 2          | 4          | 0.5  | 15
              calls a; park a; approve a; open a               | 1           | 1          | 2          | 0.5  | 15
              calls a; open a; ask a; give a; open a           | 1           | 1          | 2          | 0.5  | 15
              calls a; fail a                                  | 1           | 0          | 2          | 0.5  | 15
              calls agent-x; open agent-x                      | 1           | 1          | 2          | 0.5  | 15
              calls agent-x; open agent-x; close agent-x       | 2           | 3          | 9          | 1.5  | 20
            """)
    void aRunHasUsedUp(String facts, int modelCalls, int toolCalls, long characters, BigDecimal cost, long tokens) {
        assertSpent(FactScript.of(facts), modelCalls, toolCalls, characters, cost, tokens);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # steps copied | the facts                                 | model calls | tool calls | cost | seconds
              1            | calls a; open a; close a; over            | 0           | 0          | 0    | 0
              1            | calls a; open a; close a; over; answer Hi | 1           | 0          | 0.5  | 5
              2            | calls a; open a; close a; over; answer Hi | 0           | 0          | 0    | 0
            """)
    void whatAForkHasCopiedCostsItNothing(
            int copied, String facts, int modelCalls, int toolCalls, BigDecimal cost, long seconds) {
        State fork = FactScript.ofFork(copied, facts).state();
        assertThat(fork.spent().modelCalls()).isEqualTo(modelCalls);
        assertThat(fork.spent().toolCalls()).isEqualTo(toolCalls);
        assertThat(fork.spent().cost()).isEqualByComparingTo(cost);
        assertThat(fork.activeTime()).hasSeconds(seconds);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                                                      | seconds of work
              answer Hi                                                      | 1
              wait 9; answer Hi                                              | 10
              calls a; park a; suspend; wait 9; approve a; open a            | 4
              calls a; park a; suspend; wait 9; resume; wait 5; open a       | 9
              calls a; open a; wait 9; resume; close a                       | 3
            """)
    void timeInWhichNobodyWorkedOnARunIsNotItsOwn(String facts, long seconds) {
        assertThat(FactScript.of(facts).state().activeTime()).hasSeconds(seconds);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # what bailed, in which place               | the first wins | the last wins
              close agent-x; close agent-y              | none           | none
              bail agent-x 1; close agent-y             | agent-x        | agent-x
              bail agent-x 2; bail agent-y 1            | agent-y        | agent-x
              bail agent-x 1; bail agent-y 2            | agent-x        | agent-y
            """)
    void theDelegationThatBailedIs(String ends, String first, String last) {
        StepState step = FactScript.of("calls agent-x agent-y; open agent-x; open agent-y; " + ends)
                .state()
                .step();
        assertThat(step.bailed(BailStrategy.FIRST).map(CallState::callId).orElse("none"))
                .isEqualTo(first);
        assertThat(step.bailed(BailStrategy.LAST).map(CallState::callId).orElse("none"))
                .isEqualTo(last);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                                                          | sub-agents | task
                                                                                 | ''         | Go
              calls a; open a                                                    | ''         | Go
              calls agent-x agent-y; open agent-y; open agent-x                  | x y        | Go
              calls agent-x agent-x#2; open agent-x; open agent-x#2              | x          | Go
              answer Hi; over; said And now?                                     | ''         | Go And now?
            """)
    void aRunCalledAndWasAskedFor(String facts, String agents, String task) {
        ConversationState state = FactScript.of(facts).state();
        assertThat(state.subAgentsInvoked().stream().collect(Collectors.joining(" ")))
                .isEqualTo(agents);
        assertThat(state.originalTask().replace("\n\n", " ")).isEqualTo(task);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts          | why they cannot be
              start              | was started twice
              open a             | has no open step
              park a             | has no open step
              approve a          | has no open step
              close a            | has no open step
              calls a; close b   | has no call b
              said More          | out of turn
              answer Hi; said No | out of turn
              answer Hi; over; answer Ho; said No | out of turn
            """)
    void factsThatCannotFollowAreRefused(String facts, String why) {
        assertThatThrownBy(() -> FactScript.of(facts))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }

    private static void assertSpent(
            FactScript facts, int modelCalls, int toolCalls, long characters, BigDecimal cost, long tokens) {
        Spending spent = facts.state().spent();
        assertThat(spent.modelCalls()).isEqualTo(modelCalls);
        assertThat(spent.toolCalls()).isEqualTo(toolCalls);
        assertThat(spent.outputCharacters()).isEqualTo(characters);
        assertThat(spent.cost()).isEqualByComparingTo(cost);
        assertThat(spent.totalUsage().totalTokens()).isEqualTo(tokens);
    }
}
