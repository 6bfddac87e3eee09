package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of threads, of what they are and for whom. */
class CopiesOverHttpTest extends ServerFixture {

    private static final String THREADS = "/api/v1/threads";
    private static final String MASTRA = "/api/memory/threads";

    private void say(ChargehandServer server, String thread) {
        script.on("writer").says("Done.");
        Map<String, Object> body = Map.of("input", "Write.", "thread", thread, "resource", "ann");
        assertThat(post(server, "/api/v1/agents/writer/runs", body, "Prefer", "wait=30")
                        .statusCode())
                .isEqualTo(200);
    }

    private static List<String> ids(HttpResponse<String> answer) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; !at(answer, "/threads/" + i + "/id").isEmpty(); i++) {
            ids.add(at(answer, "/threads/" + i + "/id"));
        }
        return ids;
    }

    private String copied(ChargehandServer server, String thread, Map<String, Object> body) {
        HttpResponse<String> copy = post(server, THREADS + "/" + thread + "/clone?resource=ann", body);
        assertThat(copy.statusCode()).as(copy.body()).isEqualTo(201);
        return at(copy, "/id");
    }

    @ParameterizedTest
    @EnumSource
    void aCopyNamesItsSourceAndASourceItsCopies(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        say(server, "t");
        HttpResponse<String> source = get(server, THREADS + "/t?resource=ann");

        String copy = copied(server, "t", Map.of("before", 1, "title", "Copy"));
        String again = copied(server, copy, Map.of());

        HttpResponse<String> found = get(server, THREADS + "/" + copy + "?resource=ann");
        assertThat(at(found, "/copyOf")).isEqualTo(at(source, "/id"));
        assertThat(at(found, "/copiedMessages") + at(found, "/messages") + at(found, "/title"))
                .isEqualTo("11Copy");
        assertThat(source.body()).doesNotContain("copyOf", "copiedMessages");
        assertThat(ids(get(server, THREADS + "/t/copies?resource=ann"))).containsExactly(copy);
        assertThat(ids(get(server, THREADS + "/" + again + "/lineage?resource=ann")))
                .containsExactly(copy, at(source, "/id"));
        assertThat(ids(get(server, THREADS + "/t/lineage?resource=ann"))).isEmpty();
        assertThat(get(server, THREADS + "/t/copies?resource=bob").statusCode()).isEqualTo(404);
        assertThat(get(server, THREADS + "/t/lineage?resource=bob").statusCode())
                .isEqualTo(404);

        String other = copied(server, "t", Map.of());
        HttpResponse<String> page = get(server, THREADS + "/t/copies?resource=ann&limit=1");
        assertThat(at(page, "/next")).isEqualTo("1");
        assertThat(List.of(
                        ids(page).getFirst(),
                        ids(get(server, THREADS + "/t/copies?resource=ann&limit=1&offset=1"))
                                .getFirst()))
                .containsExactlyInAnyOrder(copy, other);
        HttpResponse<String> deleted =
                send(request(server, THREADS + "/t?resource=ann").DELETE().build());
        assertThat(deleted.statusCode()).isEqualTo(204);
        assertThat(get(server, THREADS + "/" + copy + "?resource=ann").body())
                .doesNotContain("copyOf")
                .contains("copiedMessages");
    }

    @ParameterizedTest
    @EnumSource
    void onlyACallerThatActsForOthersCopiesToThem(HttpBinding binding) {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        say(server, "t");
        String bobs = copied(server, "t", Map.of("resource", "bob"));
        HttpResponse<String> found = get(server, THREADS + "/" + bobs + "?resource=bob");
        assertThat(at(found, "/resource") + at(found, "/messages")).isEqualTo("bob2");
        assertThat(found.body()).doesNotContain("copyOf");
        assertThat(ids(get(server, THREADS + "/t/copies?resource=ann"))).isEmpty();
        assertThat(ids(get(server, THREADS + "/" + bobs + "/lineage?resource=bob")))
                .isEmpty();

        Set<Scope> own = EnumSet.complementOf(EnumSet.of(Scope.RESOURCES_ANY));
        ChargehandServer signedIn = serve(runtime(store), builder -> builder.binding(binding)
                .addPrincipals(token -> Optional.of(new Principal(token, Store.LOCAL, Optional.of(token), own))));
        String[] ann = {"Authorization", "Bearer ann"};
        HttpResponse<String> rejected = post(signedIn, THREADS + "/t/clone", Map.of("resource", "bob"), ann);
        assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(403);
        assertThat(post(signedIn, THREADS + "/t/clone", Map.of("resource", "ann"), ann)
                        .statusCode())
                .isEqualTo(201);
        assertThat(post(signedIn, THREADS + "/" + bobs + "/clone", Map.of(), ann)
                        .statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void mastrasClientReadsWhatACopyIsOf(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        assertThat(post(server, MASTRA, Map.of("threadId", "mine", "resourceId", "ann"))
                        .statusCode())
                .isEqualTo(200);

        for (Map<String, Object> body : List.<Map<String, Object>>of(
                Map.of("metadata", Map.of("k", 1)), Map.of("newThreadId", "copy"), Map.of("resourceId", "bob"))) {
            HttpResponse<String> made = post(server, MASTRA + "/mine/clone?resourceId=ann", body);
            assertThat(at(made, "/thread/metadata/clone/sourceThreadId"))
                    .as(made.body())
                    .isEqualTo("mine");
            assertThat(at(made, "/thread/metadata/clone/clonedAt")).isEqualTo(at(made, "/thread/createdAt"));
            HttpResponse<String> found = get(
                    server,
                    MASTRA + "/" + at(made, "/thread/id") + "?resourceId=" + body.getOrDefault("resourceId", "ann"));
            assertThat(at(found, "/metadata/clone/sourceThreadId")).isEqualTo("mine");
            assertThat(found.body()).doesNotContain("chargehand.");
        }
        assertThat(get(server, MASTRA + "/mine?resourceId=ann").body()).doesNotContain("clone");
    }
}
