package dev.chargehand.openapi;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.AgentsFileReader;
import dev.chargehand.json.Json;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.http.LoopbackServer;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A document, an agents' file that uses it, and the server behind both. */
final class Api implements AutoCloseable {

    final LoopbackServer server = new LoopbackServer();
    final Map<String, String> environment = new HashMap<>();
    private final HttpCalls http = new HttpCalls();
    private final Path folder;
    private String at = server.url();
    private String paths = "";
    private String more = "";
    private String version = "3.1.0";

    Api(Path folder) {
        this.folder = folder;
    }

    /** Sets what the document says below {@code paths}. */
    Api paths(String yaml) {
        this.paths = yaml;
        return this;
    }

    /** Sets a document of one operation, {@code it}, whose parameters are given. */
    Api it(String method, String path, String parameters) {
        return paths("  " + path + ":\n    " + method + ":\n      operationId: it\n      parameters: [ " + parameters
                + " ]\n");
    }

    /** Adds to the document at its first level. */
    Api more(String yaml) {
        this.more = yaml;
        return this;
    }

    /** Takes the place of the server. */
    Api at(String url) {
        this.at = url;
        return this;
    }

    Api version(String value) {
        this.version = value;
        return this;
    }

    /** Reads the tool of the operation {@code it}, with further keys of the agents' file. */
    Tool tool(String keys) {
        String text = "tools:\n  api:\n"
                + ("openapi: api.yaml\nserver: " + at + "/v2/\n"
                                + (keys.contains("operations:") ? "" : "operations: [it]\n") + keys)
                        .indent(4)
                + "agents: { boss: { tools: [api] } }\n";
        try {
            Files.writeString(folder.resolve("crew.yaml"), text);
            Files.writeString(
                    folder.resolve("api.yaml"),
                    "openapi: " + version + "\ninfo: { title: It, version: '1' }\npaths:\n" + paths + more);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        AgentsFile file = AgentsFileReader.read(folder.resolve("crew.yaml"), "crew.yaml", Set.of());
        return file.apis().get("api").tools(http, environment::get).getFirst();
    }

    Tool tool() {
        return tool("approval: false");
    }

    static Agent agent(Tool tool) {
        return Agent.builder("boss").model("test/boss").tools(tool).build();
    }

    /** Runs an agent that calls a tool once. */
    static RunResult run(Tool tool, Json arguments) {
        Script script = ScriptedModel.script();
        script.on("boss").calls(tool.name(), arguments.fields()).then().says("Done.");
        try (TestRuntime runtime = TestRuntime.with(script)) {
            return runtime.bind(agent(tool)).generate("Go");
        }
    }

    static ToolOutcome call(Tool tool, String arguments) {
        return run(tool, Json.parse(arguments)).toolResults().getFirst();
    }

    static String error(Tool tool, String arguments) {
        return call(tool, arguments).error().orElseThrow();
    }

    static Json result(Tool tool, String arguments) {
        ToolOutcome outcome = call(tool, arguments);
        return outcome.output()
                .orElseThrow(() -> new AssertionError(outcome.error().orElse("nothing")));
    }

    /** Calls the tool and returns what the server was asked for. */
    LoopbackServer.Received sent(Tool tool, String arguments) {
        result(tool, arguments);
        return server.log().getLast();
    }

    @Override
    public void close() {
        http.close();
        server.close();
    }
}
