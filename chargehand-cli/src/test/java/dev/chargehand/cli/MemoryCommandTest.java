package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code chargehand memory}, and what other commands show of what agents remember. */
class MemoryCommandTest extends WithProvider {

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: offline
                default: guide
                agents:
                  guide:
                    memory:
                      semanticRecall: { model: offline }
                      workingMemory: { template: "- Place:" }
                  diary:
                    model: openai/talker
                    memory:
                      lastMessages: 0
                      semanticRecall: { model: openai/embedder, scope: thread, topK: 2 }
                      workingMemory: { scope: thread, schema: { type: object } }
                  plain: {}
                """);
    }

    private Ran memory(String... arguments) {
        return Ran.in(folder, environment(), behind(arguments, "memory"));
    }

    private Ran run(String prompt, String... options) {
        return Ran.in(folder, environment(), behind(options, "run", prompt));
    }

    private Ran note(String edits, String... options) {
        provider.enqueue(Reply.toolCalls(Reply.call("c1", "updateWorkingMemory", edits)), Reply.text("It is noted."));
        return run("I live in Oslo", options);
    }

    private Ran noteOfAnn() {
        return note(
                "{\"edits\":[{\"find\":\"- Place:\",\"write\":\"- Place: \\u001b[31mOslo\"}]}",
                behind(new String[] {}, "--model", "openai/talker", "--thread", "t1", "--resource", "ann"));
    }

    private static void refused(Ran ran, String message) {
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("chargehand: " + message).hasLineCount(1);
    }

    private static void isNothing(Ran ran, String note) {
        assertThat(ran).isEqualTo(new Ran(0, "", note + System.lineSeparator()));
    }

    /** The file of the examples, as its comment says. */
    @Test
    void aQuestionAboutAnotherConversationIsAnsweredWithoutAKey() throws IOException {
        Files.copy(
                Path.of("../examples/memory/chargehand.yaml"),
                folder.resolve("chargehand.yaml"),
                StandardCopyOption.REPLACE_EXISTING);
        Ran told =
                Ran.in(folder, Map.of(), "run", "My dog Fido likes apples.", "--thread", "monday", "--resource", "ann");
        assertThat(told.exitCode()).isZero();

        Ran asked =
                Ran.in(folder, Map.of(), "run", "What does my dog like?", "--thread", "tuesday", "--resource", "ann");

        assertThat(asked.exitCode()).isZero();
        assertThat(asked.out())
                .startsWith("My dog Fido likes apples. [said on ")
                .contains("(offline stand-in, not a language model");
        assertThat(asked.err())
                .contains("offline: recall by a stand-in that finds common words, not meaning")
                .contains("assistant  recalled earlier messages at 1 place");
        Ran other =
                Ran.in(folder, Map.of(), "run", "What does my dog like?", "--thread", "friday", "--resource", "bob");
        assertThat(other.out()).startsWith("Nothing was found");
    }

    @Test
    void whatARunNotesIsToldAndShown() {
        Ran noted = noteOfAnn();

        assertThat(noted.exitCode()).isZero();
        assertThat(noted.err())
                .contains("guide  noted something in its working memory")
                .doesNotContain("updateWorkingMemory");
        Ran shown = memory("show", "--resource", "ann");
        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out()).isEqualTo("- Place: \\u001b[31mOslo" + System.lineSeparator());
        assertThat(shown.err()).matches("revision 1 of 20\\S+Z\\R");
        Json json = Json.parse(memory("show", "--resource", "ann", "--json").out());
        assertThat(json.at("/revision")).hasValue(Json.of(1));
        assertThat(json.at("/text")).hasValue(Json.of("- Place: \u001b[31mOslo"));
        assertThat(json.at("/at").flatMap(Json::string))
                .hasValueSatisfying(at -> assertThat(at).startsWith("20"));
    }

    @Test
    void whatIsNotedOfOneResourceIsNotShownOfAnother() {
        noteOfAnn();

        isNothing(memory("show", "--resource", "bob"), "nothing was noted yet");
    }

    @Test
    void aWorkingMemoryOfAThreadIsShownByItsThread() {
        Ran noted = note("{\"changes\":{\"place\":\"Oslo\"}}", "--agent", "diary", "--thread", "d1");

        assertThat(noted.exitCode()).isZero();
        assertThat(memory("show", "--agent", "diary", "--thread", "d1").out())
                .isEqualTo("{\"place\":\"Oslo\"}" + System.lineSeparator());
        provider.enqueue(Reply.text("Hello"));
        run("Hello", "--agent", "diary", "--thread", "d2");
        isNothing(memory("show", "--agent", "diary", "--thread", "d2"), "nothing was noted yet");
        refused(
                memory("show", "--agent", "diary", "--thread", "d9"),
                "There is no thread 'd9' in the store. 'chargehand threads list' lists the existing ones.");
        refused(
                memory("show", "--agent", "diary", "--thread", "d1", "--resource", "ann"),
                "Thread 'd1' belongs to another resource");
    }

    @Test
    void messagesAreFoundInAllConversationsOfTheResource() {
        run("My holidays will be in Norway", "--thread", "t1", "--resource", "ann");
        run("The budget is small", "--thread", "t2", "--resource", "ann");
        run("Holidays in Norway are for others", "--thread", "t3", "--resource", "bob");

        Ran found = memory("search", "holidays", "in", "Norway", "--resource", "ann", "--top", "1");

        assertThat(found.exitCode()).isZero();
        assertThat(found.err()).isEmpty();
        assertThat(found.out().lines())
                .singleElement()
                .asString()
                .matches("0\\.\\d\\d  t1  20\\S+Z  user: My holidays will be in Norway");
        assertThat(memory("search", "holidays", "--resource", "ann").out())
                .hasLineCount(4)
                .contains("  t2  ", "assistant: Nothing was found")
                .doesNotContain("t3", "others");
        assertThat(memory("search", "holidays", "--resource", "ann", "--thread", "t2")
                        .out())
                .hasLineCount(2)
                .contains("budget");
        isNothing(memory("search", "holidays", "--resource", "eve"), "no such messages");
        refused(
                memory("search", "holidays", "--resource", "ann", "--thread", "t3"),
                "Thread 't3' belongs to another resource");
    }

    @Test
    void aFoundMessageIsALineOfJson() {
        run("My \u001b[31m holidays", "--thread", "t1", "--resource", "ann");

        Ran found = memory("search", "holidays", "--resource", "ann", "--json", "--top", "1");

        assertThat(found.out()).hasLineCount(1).doesNotContain("\u001b");
        Json message = Json.parse(found.out());
        assertThat(message.fields()).containsOnlyKeys("score", "threadId", "position", "at", "role", "text", "runId");
        assertThat(message.at("/threadId")).hasValue(Json.of("t1"));
        assertThat(message.at("/position")).hasValue(Json.of(0));
        assertThat(message.at("/role")).hasValue(Json.of("user"));
        assertThat(message.at("/text")).hasValue(Json.of("My \u001b[31m holidays"));
    }

    @Test
    void aSearchCallsTheEmbeddingModelOfTheAgentAndNoOther() {
        provider.enqueue(Reply.text("Fine."));
        run("My holidays", "--agent", "diary", "--thread", "d1");
        int before = provider.log().size();

        Ran found = memory("search", "holidays", "--agent", "diary", "--thread", "d1");

        assertThat(found.out()).startsWith("0.").contains("  d1  ", "user: My holidays");
        assertThat(provider.log().subList(before, provider.log().size()))
                .extracting(exchange -> exchange.request().model())
                .containsExactly("embedder");
        provider.onEmbeddings(request -> Reply.status(500));
        Ran failed = memory("search", "holidays", "--agent", "diary", "--thread", "d1");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err())
                .startsWith("chargehand: ")
                .contains("openai/embedder")
                .hasLineCount(1);
    }

    @Test
    void aRunTellsWhatItRecalledAndWhatItUsed() {
        run("My holidays will be in Norway", "--thread", "t1", "--resource", "ann");

        Ran second = run("Where are my holidays?", "--thread", "t2", "--resource", "ann");

        assertThat(second.err())
                .contains(
                        "offline: recall by a stand-in that finds common words, not meaning",
                        "guide  recalled earlier messages at 1 place")
                .doesNotContain("memory: 0+0", "memory 0+0");
        provider.enqueue(Reply.text("Fine."));
        Ran counted = run("My holidays", "--agent", "diary", "--thread", "d1");
        assertThat(counted.err()).containsPattern("tokens in\\+out: diary \\d+\\+\\d+, memory [1-9]\\d*\\+0;");
    }

    @Test
    void aChatTellsWhatWasRecalledAndNoted() {
        run("My holidays will be in Norway", "--thread", "t1", "--resource", "ann");
        provider.enqueue(
                Reply.toolCalls(Reply.call(
                        "c1", "updateWorkingMemory", "{\"edits\":[{\"find\":\"\",\"write\":\"- Likes Norway\"}]}")),
                Reply.text("I know."));

        Ran ran = Ran.reading(
                folder,
                environment(),
                List.of("Where are my holidays?", "/thread t3"),
                "chat",
                "--model",
                "openai/talker",
                "--thread",
                "t2",
                "--resource",
                "ann");

        assertThat(ran.out()).contains("I know.");
        assertThat(ran.err()).contains("recalled earlier messages at 1 place", "noted something in its working memory");
        assertThat(memory("show", "--resource", "ann").out()).contains("- Likes Norway");
    }

    @Test
    void aRunWithoutAResourceSaysWhatIsMissing() {
        Ran ran = run("Hello", "--thread", "t1");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("chargehand: Agent 'guide' remembers across the conversations of a resource, and the run has"
                        + " none")
                .contains("Name it with --resource, or set 'scope: thread' in chargehand.yaml.");
        assertThat(run("Hello").exitCode()).isZero(); // without a thread it remembers nothing
    }

    @Test
    void whatIsMissingIsSaid() {
        run("Hello", "--thread", "t1", "--resource", "ann");

        refused(
                memory("show"),
                "Agent 'guide' keeps a working memory for each resource; name the resource with"
                        + " --resource, and no --thread.");
        refused(memory("show", "--resource", "ann", "--thread", "t1"), "Agent 'guide' keeps a working memory for each");
        refused(
                memory("show", "--agent", "diary", "--resource", "ann"),
                "Agent 'diary' keeps a working memory for each" + " thread; name the thread with --thread.");
        refused(
                memory("show", "--agent", "plain", "--resource", "ann"),
                "chargehand.yaml:14:3: agent 'plain' keeps no working memory. Add memory: { workingMemory: {} } to it.");
        refused(
                memory("search", "holidays", "--agent", "plain", "--resource", "ann"),
                "chargehand.yaml:14:3: agent 'plain' has no semantic recall, so messages cannot be searched.");
        for (String command : new String[] {"show", "search"}) {
            refused(
                    memory(behind(
                            command.equals("show") ? new String[] {} : new String[] {"boats"},
                            command,
                            "--agent",
                            "gide",
                            "--resource",
                            "ann")),
                    "--agent: unknown agent 'gide'. There are: guide, diary, plain. Did you mean 'guide'?");
        }
        refused(memory("search", "boats"), "--resource is missing: it names whose conversations are searched.");
        refused(memory("search", " ", "--resource", "ann"), "There is nothing to search for. Name the words.");
        refused(memory("search", "boats", "--resource", "ann", "--top", "51"), "--top must be 1 to 50, but is 51.");
        refused(memory("search", "boats", "--resource", "ann", "--top", "0"), "--top must be 1 to 50, but is 0.");
        refused(memory("search", "--resource", "ann"), "Missing required parameter: 'WORDS'.");
        refused(memory("show", "--resource", "ann", "--store", "none.db"), "There is no store ");
    }

    @Test
    void whatMemoryUsedAfterRunsIsShown() {
        provider.enqueue(Reply.text("Fine."));
        run("My holidays", "--agent", "diary", "--thread", "d1");

        Ran shown = memory("usage");
        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out()).matches("20\\d\\d-\\d\\d-\\d\\d  embeddings  openai/embedder  [1-9]\\d* in  0 out\\R");
        Json json = Json.parse(memory("usage", "--json").out());
        assertThat(json.at("/part")).hasValue(Json.of("embeddings"));
        assertThat(json.at("/model")).hasValue(Json.of("openai/embedder"));
        assertThat(json.at("/outputTokens")).hasValue(Json.of(0));
        isNothing(memory("usage", "--resource", "ann"), "nothing was used");
    }

    @Test
    void theMemoryOfATenantIsItsOwn() {
        provider.enqueue(Reply.text("Fine."));
        run("My holidays", "--agent", "diary", "--thread", "d1", "--tenant", "acme");
        run("My holidays will be in Norway", "--thread", "t1", "--resource", "ann", "--tenant", "acme");

        isNothing(memory("usage"), "nothing was used");
        assertThat(memory("usage", "--tenant", "acme").out()).contains("embeddings  openai/embedder");
        assertThat(memory("reindex", "--resource", "ann").err()).startsWith("indexed 0 messages of 0 threads");
        assertThat(memory("reindex", "--resource", "ann", "--tenant", "acme").err())
                .startsWith("indexed 0 messages of 1 thread");
        isNothing(memory("search", "holidays", "--resource", "ann"), "no such messages");
        assertThat(memory("search", "holidays", "--resource", "ann", "--tenant", "acme")
                        .out())
                .contains("My holidays will be in Norway");
    }

    @Test
    void allThatWasSaidCanBeFoundAfterTheModelWasReplaced() throws IOException {
        run("My holidays will be in Norway", "--thread", "t1", "--resource", "ann");
        Path file = folder.resolve("chargehand.yaml");
        Files.writeString(file, Files.readString(file).replace("{ model: offline }", "{ model: openai/embedder }"));
        isNothing(memory("search", "holidays", "--resource", "ann"), "no such messages");

        Ran done = memory("reindex", "--resource", "ann");

        assertThat(done.exitCode()).isZero();
        assertThat(done.err()).matches("indexed 2 messages of 1 thread with [1-9]\\d* tokens\\R");
        assertThat(memory("search", "holidays", "--resource", "ann").out()).contains("My holidays will be in Norway");
        assertThat(memory("reindex", "--thread", "t1", "--resource", "ann", "--json")
                        .out())
                // A model that does not say how long its vectors are is asked for one.
                .matches("\\{\"threads\":1,\"messages\":0,\"left\":0,\"tokens\":10}\\R");
        refused(memory("reindex"), "--resource is missing: it names whose conversations are searched.");
        refused(
                memory("reindex", "--agent", "plain", "--resource", "ann"),
                "chargehand.yaml:14:3: agent 'plain' has no semantic recall, so messages cannot be searched.");
    }

    @Test
    void aMisspeltCommandIsNamed() {
        refused(
                memory("shw"),
                "unknown command 'shw'. There are: show, search, reindex, usage, forget. Did you mean 'show'?");
    }

    @Test
    void aResourceIsForgottenAfterConfirmation() throws IOException {
        assertThat(noteOfAnn().exitCode()).isZero();
        assertThat(run("Which quokka?", "--thread", "t2", "--resource", "bob").exitCode())
                .isZero();
        refused(memory("forget"), "Missing required option: '--resource=ID'");
        refused(
                memory("forget", "--resource", "ann"),
                "There is no terminal to confirm the deletion of all data of resource 'ann'. Say --yes if so.");
        Typist no = new Typist("n");
        assertThat(Ran.in(folder, no, "memory", "forget", "--resource", "ann").err())
                .contains("resource 'ann' was not changed");
        assertThat(memory("show", "--resource", "ann").out()).contains("Oslo");

        isNothing(
                memory("forget", "--resource", "ann", "--yes"),
                "deleted 1 run, 1 thread and 1 working memory of resource 'ann'");
        isNothing(memory("forget", "--resource", "ann", "--yes"), "there was nothing of resource 'ann'");

        isNothing(memory("show", "--resource", "ann"), "nothing was noted yet");
        String file = Files.readString(folder.resolve(".chargehand/chargehand.db"), StandardCharsets.ISO_8859_1);
        assertThat(file).contains("quokka").doesNotContain("Oslo");
        assertThat(Ran.in(folder, "runs").out()).hasLineCount(1);
    }
}
