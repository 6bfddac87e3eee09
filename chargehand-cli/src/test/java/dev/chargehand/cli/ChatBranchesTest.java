package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a chat can do again or otherwise: another model, the last message once more, a copy of the thread, a file of it. */
class ChatBranchesTest extends WithProvider {

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: openai/talker
                default: boss
                agents:
                  boss: { instructions: Talk. }
                  clerk: { instructions: Write., model: openai/scribe, description: Writes down. }
                """);
    }

    private Ran chat(String... lines) {
        return Ran.reading(folder, environment(), List.of(lines), "chat", "--thread", "t1");
    }

    private String model(int request) {
        return provider.log().get(request).request().model();
    }

    @Test
    void retrySendsTheLastMessageAgainInACopyOfTheThread() {
        provider.enqueue(Reply.text("One"), Reply.text("Two"), Reply.text("Other"), Reply.text("Three"));

        Ran ran = chat("First", "Second", "/retry", "Third");

        assertThat(heard(2)).containsExactly("First", "One", "Second");
        assertThat(heard(3)).containsExactly("First", "One", "Second", "Other", "Third");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).containsPattern("This is thread \\w+ now; /thread t1 goes back\\.");

        provider.enqueue(Reply.text("Back"));
        chat("Here?");
        assertThat(heard(4)).containsExactly("First", "One", "Second", "Two", "Here?");
    }

    @Test
    void editSendsAnotherMessageInPlaceOfTheLastOne() {
        provider.enqueue(Reply.text("One"), Reply.text("Two"), Reply.text("Three"));

        chat("First", "Secnd", "/edit Second one");

        assertThat(heard(2)).containsExactly("First", "One", "Second one");
    }

    @Test
    void forkContinuesBehindTheLastAnswer() {
        provider.enqueue(Reply.text("One"), Reply.text("Two"), Reply.text("Three"));

        Ran ran = chat("First", "/fork Second", "/thread t1", "Also second");

        assertThat(heard(1)).containsExactly("First", "One", "Second");
        assertThat(heard(2)).containsExactly("First", "One", "Also second");
        assertThat(ran.exitCode()).isZero();
    }

    @Test
    void aForkCountsOnlyWhatItDoesItself() {
        provider.enqueue(Reply.text("One"), Reply.text("Two"));

        Ran ran = chat("First", "/fork Second", "/usage");

        assertThat(ran.err()).contains("2 turns in this chat: 20 in + 10 out tokens");
    }

    @Test
    void aForkShowsOnlyWhatItDoesItself() throws IOException {
        Files.createDirectory(folder.resolve("docs"));
        Files.writeString(folder.resolve("docs/boats.md"), "A boat floats.\n");
        Files.writeString(
                folder.resolve("chargehand.yaml"), "model: offline\nagents: { finder: { tools: [search-files] } }\n");

        Ran ran = chat("Does a boat float?", "/fork Which zebras sing?");

        assertThat(ran.err()).containsOnlyOnce("boat float");
        assertThat(ran.exitCode()).isEqualTo(5);
    }

    @Test
    void aRetryUsesTheAgentThatAnswersNow() {
        provider.enqueue(Reply.text("One"), Reply.text("Written"));

        chat("First", "/agent clerk", "/retry");

        assertThat(model(1)).isEqualTo("scribe");
        assertThat(heard(1)).containsExactly("First");
    }

    @Test
    void withoutAMessageOrARunTheyAreExplained() {
        Ran ran = chat("/retry", "/edit", "/fork", "/export");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains(
                        "Nothing was said in this thread yet",
                        "/edit needs the message that replaces your last one behind it.",
                        "/fork needs a message to continue with behind it.",
                        "This thread has no messages yet.");
    }

    @Test
    void anotherModelAnswersOnTheSameThreadAndUsageGoesOn() {
        provider.enqueue(Reply.text("One"), Reply.text("Two"), Reply.text("Three"));

        Ran ran = chat("First", "/model openai/other", "Second", "/agent clerk", "Third", "/usage", "/model");

        assertThat(heard(1)).containsExactly("First", "One", "Second");
        assertThat(List.of(model(0), model(1), model(2))).containsExactly("talker", "other", "other");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err())
                .contains("All agents use openai/other from now on", "3 turns in this chat", "boss   openai/other")
                .containsOnlyOnce("is new; boss answers");
    }

    @Test
    void aModelThatCannotBeUsedIsExplainedAndTheOldOneStays() {
        provider.enqueue(Reply.text("One"));

        Ran ran = chat("/model nonsense", "First");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("chargehand: /model: ", "nonsense").doesNotContain("--model:");
        assertThat(model(0)).isEqualTo("talker");
    }

    @Test
    void exportWritesWhatWasSaidAndOverwritesNothing() throws IOException {
        provider.enqueue(Reply.text("One."));

        Ran ran = chat("First", "/export", "/export", "/export talk.json", "/export missing/talk.md");

        assertThat(folder.resolve("t1.md")).hasContent("## User\n\nFirst\n\n## Assistant\n\nOne.\n");
        Json whole = Json.parse(Files.readString(folder.resolve("talk.json")));
        assertThat(whole.at("/threadId").flatMap(Json::string)).contains("t1");
        assertThat(whole.at("/messages/1/role")).isPresent();
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("Written to ", "t1.md' exists already and was not changed", "cannot be written (");
    }
}
