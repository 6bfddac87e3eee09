package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.store.InMemoryStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The type of a problem is an address at which the server explains its code. */
class ProblemPagesOverHttpTest extends ServerFixture {

    private static final Path ERRORS = Path.of("..", "docs", "errors.md");

    @ParameterizedTest
    @EnumSource
    void theTypeOfAProblemIsAnAddressThatAnyCallerMayRead(HttpBinding binding) {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding)
                .addPrincipals(token -> Optional.empty()));
        HttpResponse<String> problem = get(server, "/api/v1/runs");
        assertThat(problem.statusCode()).isEqualTo(401);
        URI type = URI.create(at(problem, "/type"));
        assertThat(type.getPath()).isEqualTo("/api/v1/problems/not-signed-in");

        HttpResponse<String> page = get(server, type.toString());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(at(page, "/code")).isEqualTo(at(problem, "/code"));
        assertThat(at(page, "/title")).isEqualTo(at(problem, "/title"));
        assertThat(at(page, "/status")).isEqualTo("401");
        assertThat(get(server, "/api/v1/problems/none").statusCode()).isEqualTo(404);
    }

    @Test
    void everyCodeOfAProblemHasARowInTheDocuments() throws IOException {
        List<String> rows = Files.readAllLines(ERRORS).stream()
                .dropWhile(line -> !line.equals("## Problems of the server"))
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf('|', line.indexOf('|', 1) + 1) + 1))
                .toList();
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Problem.values())
                        .map(each -> "| `" + each.code() + "` | " + each.status() + " |")
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void eachCodeHasAPage(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        for (Problem problem : Problem.values()) {
            HttpResponse<String> page = get(server, "/api/v1/problems/" + problem.code());
            assertThat(page.statusCode()).as(problem.code()).isEqualTo(200);
            assertThat(at(page, "/status")).isEqualTo(Integer.toString(problem.status()));
        }
    }
}
