package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.thread.ThreadOwner;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads and messages under the ids of the client, and with the options of its lists and copies. */
@Timeout(120)
class MastraThreadsTest extends ServerFixture {

    private static final String THREADS = "/api/memory/threads";
    private static final String MESSAGES = THREADS + "/t/messages";

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(Agent.builder("diary")
                .model(script.modelFor("diary"))
                .memory(memory -> memory.lastMessages(7).workingMemory(WorkingMemory.template("# Notes")))
                .build());
        return agents;
    }

    private void create(ChargehandServer server, String id, Map<String, Object> metadata) {
        assertThat(post(server, THREADS, Map.of("threadId", id, "resourceId", "ann", "metadata", metadata))
                        .statusCode())
                .isEqualTo(200);
    }

    private ChargehandServer withMessages(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        create(server, "t", Map.of());
        List<Map<String, Object>> messages = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            messages.add(Map.of(
                    "id",
                    "m" + i,
                    "role",
                    i % 2 == 1 ? "user" : "assistant",
                    "content",
                    "Text " + i,
                    "threadId",
                    "t",
                    "resourceId",
                    "ann"));
        }
        assertThat(post(server, "/api/memory/save-messages", Map.of("messages", messages))
                        .statusCode())
                .isEqualTo(200);
        return server;
    }

    private static String json(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static List<String> ids(HttpResponse<String> list, String field) {
        return values(list, field, "/id");
    }

    private static List<String> texts(HttpResponse<String> list, String field) {
        return values(list, field, "/content/content");
    }

    private static List<String> values(HttpResponse<String> list, String field, String pointer) {
        List<String> values = new ArrayList<>();
        for (int i = 0; !at(list, "/" + field + "/" + i + pointer).isEmpty(); i++) {
            values.add(at(list, "/" + field + "/" + i + pointer));
        }
        return values;
    }

    @ParameterizedTest
    @EnumSource
    void aThreadHasTheIdThatTheClientHasChosen(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        create(server, "mine", Map.of("a", 1));
        Map<String, Object> said = Map.of("id", "other", "title", "Said", "metadata", Map.of("z", 2));
        post(
                server,
                "/api/agents/writer/generate",
                Map.of("messages", "Hi.", "memory", Map.of("thread", said, "resource", "ann")));
        HttpResponse<String> list = get(server, THREADS + "?resourceId=ann");
        assertThat(ids(list, "threads")).containsExactlyInAnyOrder("mine", "other");
        assertThat(list.body()).doesNotContain("chargehand.");
        HttpResponse<String> other = get(server, THREADS + "/other");
        assertThat(at(other, "/id")).isEqualTo("other");
        assertThat(at(other, "/title")).isEqualTo("Said");
        assertThat(at(other, "/metadata/z")).isEqualTo("2");
        assertThat(at(get(server, THREADS + "/other/messages"), "/messages/0/threadId"))
                .isEqualTo("other");
        String copy = at(post(server, THREADS + "/mine/clone", Map.of()), "/thread/id");
        assertThat(copy).isNotEqualTo("mine");
        assertThat(at(get(server, THREADS + "/" + copy), "/id")).isEqualTo(copy);
        assertThat(at(get(server, THREADS + "/mine"), "/id")).isEqualTo("mine");
    }

    @ParameterizedTest
    @EnumSource
    void whatStandsForThreadsOfSeveralIsShownUnderItsOwnId(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        create(server, "t", Map.of());
        post(server, THREADS, Map.of("threadId", "t", "resourceId", "bob"));
        for (String resource : List.of("ann", "bob")) {
            String id = at(get(server, THREADS + "?resourceId=" + resource), "/threads/0/id");
            assertThat(id).startsWith("thr_");
            assertThat(at(get(server, THREADS + "/" + id), "/resourceId")).isEqualTo(resource);
        }
    }

    @ParameterizedTest
    @EnumSource
    void threadsAreFilteredAndOrdered(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        create(server, "one", Map.of("kind", "a"));
        create(server, "two", Map.of("kind", "b"));
        String list = THREADS + "?resourceId=ann";
        String order = "&orderBy%5Bfield%5D=createdAt&orderBy%5Bdirection%5D=";
        assertThat(ids(get(server, list + order + "ASC"), "threads")).containsExactly("one", "two");
        assertThat(ids(get(server, list + order + "DESC"), "threads")).containsExactly("two", "one");
        Map<String, Object> message =
                Map.of("role", "user", "content", "Later.", "threadId", "one", "resourceId", "ann");
        post(server, "/api/memory/save-messages", Map.of("messages", List.of(message)));
        assertThat(ids(get(server, list), "threads")).containsExactly("two", "one"); // the order of Mastra
        HttpResponse<String> some = get(server, list + "&metadata=" + json("{\"kind\":\"b\"}"));
        assertThat(ids(some, "threads")).containsExactly("two");
        assertThat(at(some, "/total")).isEqualTo("1");
        HttpResponse<String> all = get(server, list + "&perPage=false");
        assertThat(at(all, "/perPage")).isEqualTo("false");
        assertThat(at(all, "/total")).isEqualTo("2");
        assertThat(get(server, list + order + "UP").statusCode()).isEqualTo(400);
        assertThat(get(server, list + "&metadata=x").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @EnumSource
    void messagesAreFilteredOrderedAndIncluded(HttpBinding binding) {
        ChargehandServer server = withMessages(binding);
        String ascending = "?orderBy=" + json("{\"field\":\"createdAt\",\"direction\":\"ASC\"}");
        String descending = "?orderBy=" + json("{\"field\":\"createdAt\",\"direction\":\"DESC\"}");
        Map<String, List<String>> expected = new HashMap<>();
        expected.put("", List.of("m1", "m2", "m3", "m4"));
        expected.put("?perPage=2", List.of("m3", "m4"));
        expected.put("?perPage=false", List.of("m1", "m2", "m3", "m4"));
        expected.put(ascending + "&perPage=3", List.of("m1", "m2", "m3"));
        expected.put(ascending + "&perPage=3&page=1", List.of("m4"));
        expected.put(descending + "&perPage=3", List.of("m4", "m3", "m2"));
        expected.put("?filter=" + json("{\"roles\":[\"assistant\"]}"), List.of("m2", "m4"));
        expected.put("?filter=" + json("{\"dateRange\":{\"end\":\"2020-01-01T00:00:00Z\"}}"), List.of());
        expected.put("?perPage=0&include=" + json("[{\"id\":\"m3\",\"withPreviousMessages\":1}]"), List.of("m2", "m3"));
        expected.forEach((query, ids) -> assertThat(ids(get(server, MESSAGES + query), "messages"))
                .as(query)
                .isEqualTo(ids));
        HttpResponse<String> page = get(server, MESSAGES + "?perPage=3");
        assertThat(at(page, "/total") + at(page, "/hasMore")).isEqualTo("4true");
        assertThat(get(server, MESSAGES + "?filter=" + json("{\"metadata\":{\"a\":1}}"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(get(server, MESSAGES + "?orderBy=up").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @EnumSource
    void aCopyHasTheIdAndTheMessagesThatAreWanted(HttpBinding binding) {
        ChargehandServer server = withMessages(binding);
        String clone = THREADS + "/t/clone";
        Map<String, Object> wanted = Map.of("newThreadId", "copy", "title", "Copy", "metadata", Map.of("c", 1));
        HttpResponse<String> copy = post(server, clone, wanted);
        assertThat(at(copy, "/thread/id")).isEqualTo("copy");
        assertThat(texts(copy, "clonedMessages")).containsExactly("Text 1", "Text 2", "Text 3", "Text 4");
        HttpResponse<String> found = get(server, THREADS + "/copy");
        assertThat(at(found, "/title") + at(found, "/metadata/c")).isEqualTo("Copy1");
        assertThat(post(server, clone, wanted).statusCode()).isEqualTo(409);
        assertThat(texts(post(server, clone, Map.of("options", Map.of("messageLimit", 2))), "clonedMessages"))
                .containsExactly("Text 3", "Text 4");
        Map<String, Object> some = Map.of("messageFilter", Map.of("messageIds", List.of("m2")));
        assertThat(texts(post(server, clone, Map.of("options", some)), "clonedMessages"))
                .containsExactly("Text 2");
    }

    @ParameterizedTest
    @EnumSource
    void aMessageOfACopyIsDeletedThereOnly(HttpBinding binding) {
        ChargehandServer server = withMessages(binding);
        HttpResponse<String> whole = post(server, THREADS + "/t/clone", Map.of());
        String copy = THREADS + "/" + at(whole, "/thread/id") + "/messages";
        String delete = "/api/memory/messages/delete";
        String second = ids(whole, "clonedMessages").get(1);
        for (String id : List.of("m3", second)) {
            HttpResponse<String> deleted = post(server, delete, Map.of("messageIds", List.of(id)));
            assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(200);
        }
        assertThat(texts(get(server, copy), "messages")).containsExactly("Text 1", "Text 3", "Text 4");
        assertThat(texts(get(server, MESSAGES), "messages")).containsExactly("Text 1", "Text 2", "Text 4");
    }

    @ParameterizedTest
    @EnumSource
    void theSettingsOfMemoryAreThoseOfTheAgent(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        HttpResponse<String> config = get(server, "/api/memory/config?agentId=diary");
        assertThat(at(config, "/config/lastMessages")).as(config.body()).isEqualTo("7");
        assertThat(at(config, "/config/workingMemory/template")).isEqualTo("# Notes");
        assertThat(at(config, "/config/semanticRecall")).isEqualTo("false");
        assertThat(at(get(server, "/api/memory/status?agentId=diary"), "/observationalMemory/enabled"))
                .isEqualTo("false");
        String observed = "/api/memory/observational-memory?agentId=diary&resourceId=ann&threadId=t";
        assertThat(at(get(server, observed), "/record")).isEqualTo("null");
        assertThat(get(server, "/api/memory/config?agentId=nobody").statusCode())
                .isEqualTo(404);
    }

    /** Clients store no images, but applications do. */
    @ParameterizedTest
    @EnumSource
    void anImageIsAFile(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ThreadOwner ann = ThreadOwner.of("ann");
        Message message =
                Message.of(Role.USER, new Part.Text("See."), new Part.Image("image/png", "https://example.com/a.png"));
        String id = runtime.threads().create(ann, thread -> {}).threadId();
        assertThat(runtime.threads().append(ann, id, List.of(message)).length()).isEqualTo(1);
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        HttpResponse<String> page = get(server, THREADS + "/" + id + "/messages?resourceId=ann");
        for (String list : List.of("/messages/0/content/parts", "/uiMessages/0/parts")) {
            assertThat(List.of("/0/text", "/1/type", "/1/mimeType", "/1/data"))
                    .map(name -> at(page, list + name))
                    .containsExactly("See.", "file", "image/png", "https://example.com/a.png");
        }
    }
}
