package dev.chargehand.internal.agent.network;

import dev.chargehand.internal.agent.ModelView;
import dev.chargehand.internal.agent.RequestForm;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.value.RoutingDecision;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request for a router's decision. A router is offered no tools: its instructions list what it can choose. */
final class RouterRequest implements RequestForm {

    private final RunScope run;
    private final ModelView view;

    RouterRequest(RunScope run) {
        this.run = run;
        this.view = new ModelView(run);
    }

    @Override
    public ModelRequest write(
            List<Message> conversation, @Nullable List<String> offered, ToolChoice choice, ModelSettings settings) {
        Router router = new Router(run.toolbox().offered(offered));
        List<Message> messages = new ArrayList<>();
        messages.add(Message.system(router.instructions(run.instructions())));
        messages.addAll(Router.conversation(view.bounded(conversation)));
        return new ModelRequest(messages, List.of(), ToolChoice.none(), settings, RoutingDecision.SCHEMA);
    }
}
