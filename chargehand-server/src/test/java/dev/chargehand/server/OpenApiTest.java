package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.store.InMemoryStore;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The OpenAPI document describes the routes of the server, all of them and no other. */
class OpenApiTest extends ServerFixture {

    private static final Path GOLDEN = Path.of("../docs/openapi.json");

    @TempDir
    private Path folder;

    private static Json document(ServerFixture fixture, ChargehandServer server) {
        return Json.parse(fixture.get(server, "/openapi.json").body());
    }

    private static List<String> operations(Json document) {
        List<String> all = new ArrayList<>();
        document.at("/paths").orElseThrow().fields().forEach((path, methods) -> methods.fields()
                .keySet()
                .forEach(method -> all.add(method.toUpperCase(Locale.ROOT) + " " + path)));
        return all;
    }

    /** The protocols of wires are described by others. */
    private ChargehandServer serveWithoutWires(HttpBinding binding) {
        return serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .wires());
    }

    @ParameterizedTest
    @EnumSource
    void everyRouteIsDescribed(HttpBinding binding) {
        ChargehandServer server = serveWithoutWires(binding);
        List<Map<String, String>> routes = Json.parse(
                        get(server, "/api/v1/info").body())
                .at("/routes")
                .orElseThrow()
                .as(new JsonType<>() {});
        assertThat(operations(document(this, server)))
                .containsExactlyInAnyOrderElementsOf(routes.stream()
                        .map(route -> route.get("method") + " " + route.get("path"))
                        .toList());
    }

    @Test
    void everyOperationHasItsParametersAnswersAndAnIdOfItsOwn() {
        Json document = document(this, serve(HttpBinding.JDK));
        List<String> ids = new ArrayList<>();
        document.at("/paths").orElseThrow().fields().forEach((path, methods) -> methods.fields()
                .forEach((method, operation) -> {
                    ids.add(operation.at("/operationId").flatMap(Json::string).orElseThrow());
                    assertThat(operation.at("/responses").orElseThrow().fields().keySet())
                            .as(method + " " + path)
                            .anyMatch(status -> status.startsWith("2"))
                            .contains("400", "default");
                    assertThat(inPath(operation)).as(method + " " + path).isEqualTo(parameters(path));
                    boolean changes = List.of("put", "patch").contains(method);
                    assertThat(!changes || operation.at("/requestBody").isPresent())
                            .as(method + " " + path)
                            .isTrue();
                }));
        assertThat(ids).doesNotHaveDuplicates();
    }

    private static List<String> parameters(String path) {
        Matcher matcher = Pattern.compile("\\{([a-z]+)}").matcher(path);
        List<String> names = new ArrayList<>();
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static List<String> inPath(Json operation) {
        List<String> names = new ArrayList<>();
        for (int i = 0; operation.at("/parameters/" + i).isPresent(); i++) {
            Json parameter = operation.at("/parameters/" + i).orElseThrow();
            if (parameter.at("/in").flatMap(Json::string).orElseThrow().equals("path")) {
                names.add(parameter.at("/name").flatMap(Json::string).orElseThrow());
            }
        }
        return names;
    }

    @Test
    void aParserOfOthersReadsItWithoutAComplaint() {
        SwaggerParseResult read = new OpenAPIV3Parser()
                .readContents(document(this, serve(HttpBinding.JDK)).text());
        assertThat(read.getMessages()).isEmpty();
        assertThat(read.getOpenAPI().getOpenapi()).isEqualTo("3.1.0");
        assertThat(read.getOpenAPI()
                        .getPaths()
                        .get("/api/v1/runs/{id}")
                        .getGet()
                        .getOperationId())
                .isEqualTo("getRunsById");
    }

    @Test
    void itsSchemasAreSchemas() {
        Json document = document(this, serve(HttpBinding.JDK));
        Json components = document.at("/components").orElseThrow();
        assertThat(components.at("/schemas").orElseThrow().fields()).hasSizeGreaterThan(15);
        components.at("/schemas").orElseThrow().fields().forEach((name, schema) -> {
            JsonSchema whole = JsonSchema.of(Json.of(Map.of("allOf", List.of(schema), "components", components)));
            assertThat(whole.mistakes()).as(name).isEmpty();
        });
    }

    /** The document of a server with a sign-in stands in the folder of documents; -Dchargehand.golden=write writes it anew. */
    @Test
    void theDocumentInTheFolderOfDocumentsIsThisOne() throws IOException {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(HttpBinding.JDK)
                .addPrincipals(ApiKeys.of(folder.resolve("keys.json"))));
        String text = get(server, "/openapi.json").body();
        if ("write".equals(System.getProperty("chargehand.golden"))) {
            Files.writeString(GOLDEN, pretty(Json.parse(text), "\n") + "\n");
        }
        assertThat(Json.parse(Files.readString(GOLDEN)).canonical())
                .isEqualTo(Json.parse(text).canonical());
    }

    /** Return JSON with a line for each field. */
    private static String pretty(Json json, String line) {
        if (!json.isObject() || json.fields().isEmpty()) {
            return json.text().startsWith("[{") ? list(json, line) : json.text();
        }
        return json.fields().entrySet().stream()
                .map(field ->
                        line + "  " + Json.of(field.getKey()).text() + ": " + pretty(field.getValue(), line + "  "))
                .collect(Collectors.joining(",", "{", line + "}"));
    }

    private static String list(Json list, String line) {
        List<String> items = new ArrayList<>();
        for (int i = 0; list.at("/" + i).isPresent(); i++) {
            items.add(line + "  " + pretty(list.at("/" + i).orElseThrow(), line + "  "));
        }
        return "[" + String.join(",", items) + line + "]";
    }

    @Test
    void theScopesOfTheTableAreThoseOfTheDocument() {
        ChargehandServer server = serveWithoutWires(HttpBinding.JDK);
        Json document = document(this, server);
        List<Map<String, String>> routes = Json.parse(
                        get(server, "/api/v1/info").body())
                .at("/routes")
                .orElseThrow()
                .as(new JsonType<>() {});
        for (Map<String, String> route : routes) {
            String place = "/paths/" + route.get("path").replace("/", "~1") + "/"
                    + route.get("method").toLowerCase(Locale.ROOT) + "/security/1/bearer/0";
            assertThat(document.at(place).flatMap(Json::string).orElse(""))
                    .as(route.toString())
                    .isEqualTo(route.getOrDefault("scope", ""));
        }
    }
}
