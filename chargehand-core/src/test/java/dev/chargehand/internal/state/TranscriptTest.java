package dev.chargehand.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which messages follow from facts: for the model, for the caller, and for the thread.
 *
 * <p>A message is written as its role and its parts, such as {@code assistant:call(a)}; one that is kept from later
 * runs has a bang behind its role.
 */
class TranscriptTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                               | what the model reads
                                                      | user:Go
              answer Hi; over                         | user:Go, assistant:Hi
              answer ; over                           | user:Go
              calls a b                               | user:Go
              calls a b; open a; close a              | user:Go
              calls a b; open b; close b; fail a      | user:Go, assistant:call(a)call(b), tool:failed(a)result(b)
              cut Half; over                          | user:Go, assistant:Half
              cut-calls a; over                       | user:Go
              answer Hi; over feedback More.          | user:Go, assistant:Hi, system!:More.
              answer Hi; over; said And?              | user:Go, assistant:Hi, user:And?
              answer Hi; pass Hello; over             | user:Go, assistant:Hello
              answer Hi; pass ; over                  | user:Go
              answer Hi; withhold; stop               | user:Go
              calls a; open a; praise a Good.         | user:Go, assistant:call(a), tool:result(a), system!:Good.
            """)
    void theModelReads(String facts, String messages) {
        assertThat(lines(Transcript.conversation(FactScript.of(facts).state()))).isEqualTo(messages);
    }

    /** Else each step of a run would make the messages of all steps before it. */
    @Test
    void theMessagesOfAStepThatIsOverAreMadeOnce() {
        ConversationState state =
                FactScript.of("calls a; open a; close a; over feedback More.").state();
        List<Message> first = Transcript.conversation(state);
        List<Message> again = Transcript.conversation(state);
        assertThat(again).hasSize(4);
        for (int i = 0; i < again.size(); i++) {
            assertThat(again.get(i)).isSameAs(first.get(i));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                               | what the caller gets
                                                      | user:Go
              answer Hi; over feedback More.          | user:Go, assistant:Hi
              calls a                                 | user:Go
              calls a; open a; praise a Good.; over   | user:Go, assistant:call(a), tool:result(a)
              answer Hi; over; stop Half              | user:Go, assistant:Hi, assistant:Half
            """)
    void theCallerGets(String facts, String messages) {
        assertThat(lines(Transcript.ofRun(FactScript.of(facts).state()))).isEqualTo(messages);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                               | what the last of them adds to the thread
              answer Hi                               | ''
              answer Hi; over                         | assistant:Hi
              answer Hi; over feedback More.          | assistant:Hi
              calls a                                 | ''
              calls a; open a                         | ''
              calls a; park a                         | ''
              calls a; park a; suspend                | ''
              calls a; park a; suspend; resume        | ''
              calls a; park a; approve a              | ''
              calls a; open a; close a                | ''
              calls a; open a; praise a Good.; over   | assistant:call(a), tool:result(a), system!:Good.
              answer Hi; pass Hello                   | ''
              answer Hi; over; said And?              | user:And?
              answer Hi; stop                         | assistant:Hi
              stop Half                               | assistant:Half
            """)
    void aFactAddsToTheThread(String facts, String messages) {
        FactScript script = FactScript.of(facts);
        assertThat(lines(Transcript.addedBy(script.last(), script.state()))).isEqualTo(messages);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the facts                                                 | ids of what the model reads, without the input
              answer Hi; over; answer Ho; over                          | run_1.1.answer run_1.2.answer
              cut Half; over                                            | run_1.1.partial
              calls a; open a; close a; over                            | run_1.1.answer run_1.1.results
              calls a; open a; praise a Good.; over                     | run_1.1.answer run_1.1.results run_1.1.feedback.a
              answer Hi; over feedback More.                            | run_1.1.answer run_1.1.feedback.0
              answer Hi; over; said And?                                | run_1.1.answer run_1.1.said.0
              refuse; answer Hi; over                                   | run_1.1.refused.0 run_1.1.answer
              calls agent-x; open agent-x; bail agent-x 1; over bailed agent-x | run_1.1.answer run_1.1.results run_1.1.bail
            """)
    void messagesHaveIdsThatAreTheSameEachTime(String facts, String ids) {
        List<Message> messages = Transcript.ofSteps(FactScript.of(facts).state());
        assertThat(messages.stream().map(Message::id).collect(Collectors.joining(" ")))
                .isEqualTo(ids);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # a result                    | where its reference begins
              ''                          | 0
              text                        | 4
              text\\n\\n[ref: x-1]        | 4
              text\\n\\n[ref: x-1] more   | 21
              \\n\\n[ref: x-1]\\n\\n[ref: x-2] | 12
              text\\n\\n[ref: x\\n1]      | 16
            """)
    void theReferenceOfAResultIsItsLastLine(String result, int start) {
        assertThat(Transcript.startOfReference(result.replace("\\n", "\n"))).isEqualTo(start);
    }

    private static String lines(List<Message> messages) {
        return messages.stream().map(TranscriptTest::line).collect(Collectors.joining(", "));
    }

    private static String line(Message message) {
        String role = message.role().name().toLowerCase(Locale.ROOT) + (message.internal() ? "!" : "");
        return role + ":" + message.parts().stream().map(TranscriptTest::part).collect(Collectors.joining());
    }

    private static String part(Part part) {
        return switch (part) {
            case Part.Text text -> text.text();
            case Part.ToolCall call -> "call(" + call.callId() + ")";
            case Part.ToolResult result -> (result.error() ? "failed(" : "result(") + result.callId() + ")";
            default -> part.toString();
        };
    }
}
