package dev.chargehand.testkit.replay;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says what the agents of a recorded run are: facts hold ids of agents only. */
final class Definitions {

    private Definitions() {}

    static Map<String, Recording.Definition> of(AgentRuntime runtime, Recording recording) {
        Map<String, Recording.Definition> definitions = new LinkedHashMap<>();
        for (Recording.Run run : recording.runs()) {
            Agent agent = at(runtime, AgentPath.parse(run.record().path()), recording);
            if (agent != null && FactCodec.read(run.facts().getFirst()) instanceof Fact.Started started) {
                definitions.putIfAbsent(
                        run.record().path(), define(agent, RequestContext.restore(started.requestContext())));
            }
        }
        return definitions;
    }

    private static @Nullable Agent at(AgentRuntime runtime, AgentPath path, Recording recording) {
        Agent agent = given(runtime, recording.runs().getFirst().record().agentId());
        for (String key : path.segments().subList(1, path.depth())) {
            agent = agent == null ? null : agent.agents().get(key);
        }
        return agent;
    }

    private static @Nullable Agent given(AgentRuntime runtime, String id) {
        try {
            return runtime.agent(id);
        } catch (ConfigurationException e) {
            return null; // the agent was only bound to the runtime
        }
    }

    private static Recording.Definition define(Agent agent, RequestContext context) {
        List<String> tools = new ArrayList<>();
        agent.agents().keySet().forEach(key -> tools.add(CallState.AGENT_PREFIX + key));
        agent.toolsFor(context).stream().map(Tool::name).forEach(tools::add);
        return new Recording.Definition(agent.instructionsFor(context), tools);
    }
}
