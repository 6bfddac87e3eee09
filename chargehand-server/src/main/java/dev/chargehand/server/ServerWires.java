package dev.chargehand.server;

import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Wire;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.agui.AgUiWire;
import dev.chargehand.server.internal.wire.aisdk.AiSdkWire;
import dev.chargehand.server.internal.wire.mastra.MastraWire;
import dev.chargehand.server.internal.wire.mastra.tool.DirectTools;
import dev.chargehand.server.internal.wire.openai.OpenAiWire;
import java.util.List;
import java.util.Set;

/** The wires of a server that are on. */
final class ServerWires {

    private static final String OWN = "/api/v1/";

    private final List<Wire> wires;

    ServerWires(
            ServerState state,
            Set<ServerWire> on,
            Set<ServerWire> resumable,
            ServerAnswers answers,
            DirectTools tools) {
        wires = on.stream()
                .map(wire -> wire(wire, new WireRuns(state, resumable.contains(wire)), answers, tools))
                .toList();
    }

    private static Wire wire(ServerWire wire, WireRuns runs, ServerAnswers answers, DirectTools tools) {
        return switch (wire) {
            case OPENAI -> new OpenAiWire(runs, answers);
            case AI_SDK -> new AiSdkWire(runs);
            case AG_UI -> new AgUiWire(runs);
            case MASTRA -> new MastraWire(runs, tools);
        };
    }

    /** Return their routes. */
    List<Route> routes() {
        return wires.stream().flatMap(wire -> wire.routes().stream()).toList();
    }

    /** Return the answer to a request that is rejected, in the form of the wire to which its path belongs. */
    Reply.Whole rejected(String path, ProblemException problem) {
        return wires.stream()
                .filter(wire -> path.startsWith(wire.prefix() + "/") && !path.startsWith(OWN))
                .findFirst()
                .map(wire -> wire.rejected(problem))
                .orElseGet(problem::reply);
    }
}
