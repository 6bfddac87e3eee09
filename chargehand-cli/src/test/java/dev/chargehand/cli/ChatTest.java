package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code chargehand chat} where lines are read, and with a provider on a real socket. */
class ChatTest extends WithProvider {

    private static final Pattern FRESH = Pattern.compile("thread (chat_[0-9a-z]{8}) is new");

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: openai/talker
                default: boss
                prices:
                  openai/talker: { input: 1000, output: 2000 }
                agents:
                  boss: { instructions: Talk. }
                  clerk: { instructions: Write., model: openai/scribe, description: Writes down. }
                  careful: { agents: [finder] }
                  reader: { description: Reads., tools: [search-files] }
                  finder: { description: Finds passages., tools: [search-files: { approval: true }] }
                """);
        Files.createDirectory(folder.resolve("docs"));
        Files.writeString(folder.resolve("docs/boats.md"), "A boat floats.\n");
    }

    private Ran chat(List<String> lines, String... options) {
        return Ran.reading(folder, environment(), lines, behind(options, "chat"));
    }

    private static String lines(String... lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    @Test
    void anEmptyThreadIsRejectedAtOnce() {
        for (String command : List.of("chat", "run")) {
            String[] line = command.equals("run")
                    ? new String[] {"run", "Hi", "--thread", ""}
                    : new String[] {"chat", "--thread", " "};
            Ran ran = Ran.in(folder, line);
            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).contains("--thread is empty").hasLineCount(1);
        }
    }

    @Test
    void everyTurnRemembersThoseBeforeItAndOnlyAnswersGoToStandardOutput() {
        provider.enqueue(Reply.text("Hello ", "Ann"), Reply.text("Ann"));

        Ran ran = chat(List.of("I am Ann", "", "Who am I?"));

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).isEqualTo(lines("Hello Ann", "Ann"));
        assertThat(heard(0)).containsExactly("I am Ann");
        assertThat(heard(1)).containsExactly("I am Ann", "Hello Ann", "Who am I?");
        assertThat(ran.err())
                .contains("completed in ", "1 step; tokens in+out: boss 10+5")
                .doesNotContain("run run_");
        provider.verify();
    }

    @Test
    void aTurnWhoseSearchesFoundNothingHasACodeOfItsOwn() {
        Ran found = chat(List.of("Does a boat float?"), "--agent", "reader", "--model", "offline");
        assertThat(found.exitCode()).isZero();

        Ran nothing =
                chat(List.of("Which zebras sing?", "Does a boat float?"), "--agent", "reader", "--model", "offline");
        assertThat(nothing.exitCode()).isEqualTo(5);
        assertThat(nothing.err()).containsOnlyOnce("chargehand: the searches of the documents found nothing.");

        Ran mistaken = chat(List.of("Which zebras sing?", "/nonsense"), "--agent", "reader", "--model", "offline");
        assertThat(mistaken.exitCode()).isEqualTo(2);
    }

    @Test
    void aNewThreadIsNamedWithTheWayBackWhichLeadsBack() {
        provider.enqueue(Reply.text("Hello Ann"), Reply.text("Ann"));

        Ran first = chat(List.of("I am Ann"), "--config", "chargehand.yaml");
        Matcher named = FRESH.matcher(first.err());
        assertThat(named.find()).isTrue();
        String thread = named.group(1);
        assertThat(first.err())
                .contains("Continue it later with: chargehand chat --thread " + thread + " --config chargehand.yaml")
                .endsWith(
                        lines("Continue later with: chargehand chat --thread " + thread + " --config chargehand.yaml"));

        Ran second = chat(List.of("Who am I?"), "--thread", thread);
        assertThat(second.err())
                .contains("thread " + thread + ", 2 messages since ", "  user: I am Ann", "  assistant: Hello Ann")
                .doesNotContain("is new");
        assertThat(heard(1)).containsExactly("I am Ann", "Hello Ann", "Who am I?");
    }

    @Test
    void whereNothingWasSaidThereIsNoWayBack() {
        Ran ran = chat(List.of(), "--thread", "t1");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("thread t1 is new").doesNotContain("Continue later with");
    }

    @Test
    void aThreadThatRunHasStartedIsGoneOnWithAndShownInShort() {
        provider.enqueue(Reply.text("Yes."), Reply.text("No."));
        Ran.in(
                folder,
                environment(),
                "run",
                "A long question\nabout \u001b[31mboats " + "x".repeat(200),
                "--thread",
                "t1");

        Ran ran = chat(List.of("And you?"), "--thread", "t1");

        assertThat(ran.err())
                .contains("  user: A long question about \\u001b[31mboats xxx", "x…", "  assistant: Yes.")
                .doesNotContain("\u001b", "x".repeat(150));
        assertThat(heard(1)).hasSize(3);
    }

    @Test
    void aThreadOfSomebodyElseIsRefused() {
        provider.enqueue(Reply.text("Yes."));
        chat(List.of("Hi"), "--thread", "t1", "--resource", "ann");

        Ran ran = chat(List.of("Hi"), "--thread", "t1", "--resource", "bob");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("chargehand: Thread 't1' belongs to another resource");
        assertThat(provider.requestCount()).isEqualTo(1);
    }

    @Test
    void aLineThatEndsWithABackslashGoesOnInTheNext() {
        provider.enqueue(Reply.text("Yes."), Reply.text("Yes."));

        chat(List.of("One\\", "  two\\", "three", "end\\"));

        assertThat(heard(0)).containsExactly("One\n  two\nthree");
        assertThat(heard(1)).endsWith("end");
    }

    @Test
    void aMessageThatBeginsWithASlashIsWrittenWithTwo() {
        provider.enqueue(Reply.text("Yes."));

        chat(List.of("//etc is a folder"));

        assertThat(heard(0)).containsExactly("/etc is a folder");
    }

    @Test
    void anUnknownCommandIsNamedWithTheNearestAndTheTalkGoesOn() {
        provider.enqueue(Reply.text("Yes."));

        Ran ran = chat(List.of("/hlep", "/usage now", "Hi"));

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("chargehand: There is no command '/hlep'. Did you mean '/help'? /help lists the commands;")
                .contains("chargehand: /usage takes no argument; remove 'now'.");
        assertThat(ran.out()).isEqualTo(lines("Yes."));
    }

    @Test
    void aFailedTurnSaysWhyAndTheTalkGoesOnWithTheWorstCode() {
        provider.enqueue(Reply.error(400, "No such thing"), Reply.text("Yes."));

        Ran ran = chat(List.of("One", "Two"));

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err()).contains("chargehand: the run failed (", "failed in ", "completed in ");
        assertThat(ran.out()).isEqualTo(lines("Yes."));
        assertThat(heard(1)).containsExactly("One", "Two");
    }

    @Test
    void helpSaysWhatEachCommandIsFor() {
        Ran ran = chat(List.of("/help"));

        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .contains(
                        "/help           list the commands",
                        "/history [N]    show",
                        "/resume         continue",
                        "/model [NAME]   show",
                        "/retry          send",
                        "/edit MESSAGE   send",
                        "/fork MESSAGE   continue",
                        "/export [FILE]  write")
                .contains("A line that ends with a backslash continues in the next one.");
    }

    @Test
    void commandsTellOfTheThreadTheLastRunAndWhatWasUsed() {
        provider.always(Reply.text("Yes."));

        Ran ran = chat(
                List.of("One", "/thread", "/history 1", "/history", "/show", "/usage", "/threads"),
                "--thread",
                "t1",
                "--resource",
                "ann");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err())
                .contains(
                        "thread     t1",
                        "resource   ann",
                        "messages   2",
                        "agent      boss",
                        "model      openai/talker",
                        "come back  chargehand chat --thread t1 --resource ann")
                .contains("the last 1 of 2 messages", lines("user:", "  One", "assistant:", "  Yes."))
                .containsPattern("run run_\\w+\\R.*starts run.*\\R.*boss +step 1 in ")
                .contains("1 turn in this chat: 10 in + 5 out tokens, cost 0.02")
                .contains("t1  2 messages  ");
    }

    @Test
    void anotherAgentAnswersOnTheSameThread() {
        provider.enqueue(Reply.text("Hello"), Reply.text("Written"));

        Ran ran = chat(List.of("I am Ann", "/agent clerk", "Write it down", "/agent", "/usage", "/agent clark"));

        assertThat(provider.log().get(1).request().model()).isEqualTo("scribe");
        assertThat(heard(1)).containsExactly("I am Ann", "Hello", "Write it down");
        assertThat(ran.err())
                .contains("clerk answers from now on, in the same thread.", "* clerk    openai/scribe  Writes down.")
                .contains("2 turns in this chat: 20 in + 10 out tokens", "  boss   10 in", "  clerk  10 in")
                .contains("chargehand: /agent: unknown agent 'clark'.", "Did you mean 'clerk'?")
                .containsPattern("Continue later with: .* --agent clerk");
    }

    @Test
    void threadsCanBeChangedAndStarted() {
        provider.always(Reply.text("Yes."));

        Ran ran = chat(
                List.of("One", "/new other", "Two", "/thread t1", "Three", "/thread ohter", "Four", "/new"),
                "--thread",
                "t1");

        assertThat(heard(1)).containsExactly("Two");
        assertThat(heard(2)).containsExactly("One", "Yes.", "Three");
        assertThat(heard(3)).startsWith("One").endsWith("Four");
        assertThat(ran.err())
                .contains("thread other is new", "thread t1, 2 messages since ")
                .contains("chargehand: There is no thread 'ohter'. Did you mean 'other'? /threads lists")
                .containsPattern(FRESH);
    }

    @Test
    void aCallThatNobodyCanBeAskedAboutIsLeftWaitingAndToldOfLater() {
        provider.onModel(
                "talker",
                Reply.toolCalls(Reply.call("c1", "agent-finder", "{\"prompt\":\"boat\"}")),
                Reply.toolCalls(Reply.call("c2", "search-files", "{\"query\":\"boat\"}")),
                Reply.text("It floats."),
                Reply.text("Fine."));

        Ran first = chat(List.of("Why?"), "--thread", "t1", "--agent", "careful");
        Typist typist = new Typist("/resume", "y", "/exit");
        Ran second = Ran.in(folder, environment(), typist, "chat", "--thread", "t1", "--agent", "careful");

        assertThat(first.exitCode()).isEqualTo(4);
        assertThat(first.err())
                .contains("waits for approval of search-files by careful/finder", "chargehand approve run_");
        assertThat(second.exitCode()).isZero();
        assertThat(second.err())
                .contains("waits for an answer: /resume asks for it.", "tester approved search-files", "completed in ");
        assertThat(second.out()).isEqualTo(lines("Fine."));
        assertThat(typist.screen()).contains("\"query\": \"boat\"", "Execute it?");
    }

    @Test
    void somebodyAtAPlainTerminalIsAskedAndTheTalkGoesOn() {
        provider.onModel(
                "talker",
                Reply.toolCalls(Reply.call("c2", "search-files", "{\"query\":\"boat\"}")),
                Reply.text("Not found."),
                Reply.text("Bye."));
        Typist typist = new Typist("Why?", "n", "Not today", "Good \\", "bye");

        Ran ran = Ran.in(folder, environment(), typist, "chat", "--agent", "finder");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("tester declined search-files: Not today");
        assertThat(ran.out()).isEqualTo(lines("Not found.", "Bye."));
        assertThat(heard(2)).endsWith("Good \nbye");
    }

    @Test
    void eventsOfAllTurnsAreJsonLines() {
        provider.always(Reply.text("Yes."));

        Ran ran = chat(List.of("One", "Two", "/help"), "--events");

        List<String> types = ran.out()
                .lines()
                .map(line -> Json.parse(line).at("/type").flatMap(Json::string).orElseThrow())
                .toList();
        assertThat(types).startsWith("run-start").endsWith("run-finish");
        assertThat(types.stream().filter("run-finish"::equals)).hasSize(2);
    }

    @Test
    void whatIsKeptBesideTheFileDoesNotRememberWhatAProgramWrote() {
        provider.always(Reply.text("Yes."));

        chat(List.of("One"));

        assertThat(folder.resolve(".chargehand/chargehand.db")).exists();
        assertThat(folder.resolve(".chargehand/history")).doesNotExist();
    }
}
