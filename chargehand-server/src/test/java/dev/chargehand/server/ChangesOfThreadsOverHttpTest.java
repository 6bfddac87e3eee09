package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A change of a thread is a JSON merge patch: null removes what it is set for, and is not left out without a word. */
class ChangesOfThreadsOverHttpTest extends ServerFixture {

    private static final String THREAD = "/api/v1/threads/t?resource=ann";

    private HttpResponse<String> patch(ChargehandServer server, Json change) {
        return send(request(server, THREAD)
                .header("Content-Type", "application/json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(change.text()))
                .build());
    }

    private static Json field(String name, @Nullable Object value) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put(name, value);
        return Json.of(fields);
    }

    private void create(ChargehandServer server) {
        post(
                server,
                "/api/v1/threads",
                Map.of("id", "t", "resource", "ann", "title", "Boats", "metadata", Map.of("a", 1, "b", 2)));
    }

    @ParameterizedTest
    @EnumSource
    void aTitleThatIsSetToNullIsRemoved(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        create(server);
        HttpResponse<String> changed = patch(server, field("title", null));
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        assertThat(Json.parse(changed.body()).fields()).doesNotContainKey("title");
        assertThat(Json.parse(get(server, THREAD).body()).fields()).doesNotContainKey("title");
        assertThat(at(changed, "/metadata/a")).isEqualTo("1");
        assertThat(at(patch(server, field("title", "Ships")), "/title")).isEqualTo("Ships");
        assertThat(at(patch(server, Json.of(Map.of())), "/title")).isEqualTo("Ships");
    }

    @ParameterizedTest
    @EnumSource
    void aValueOfTheMetadataThatIsSetToNullIsRemoved(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        create(server);
        HttpResponse<String> changed = patch(server, field("metadata", field("a", null)));
        assertThat(Json.parse(at(changed, "/metadata")).fields()).containsOnlyKeys("b", "clientId");
        HttpResponse<String> none = patch(server, field("metadata", null));
        assertThat(Json.parse(at(none, "/metadata")).fields()).containsOnlyKeys("clientId");
        assertThat(at(none, "/title")).isEqualTo("Boats");
    }

    @ParameterizedTest
    @EnumSource
    void aCopyHasNoTitleIfNullReplacesIt(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        create(server);
        String path = "/api/v1/threads/t/clone?resource=ann";
        assertThat(at(post(server, path, Map.of()), "/title")).isEqualTo("Boats");
        HttpResponse<String> copy = send(request(server, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"title\":null,\"metadata\":null}"))
                .build());
        assertThat(copy.statusCode()).as(copy.body()).isEqualTo(201);
        assertThat(Json.parse(copy.body()).fields()).doesNotContainKey("title");
        assertThat(Json.parse(at(copy, "/metadata")).fields()).doesNotContainKeys("a", "b");
    }
}
