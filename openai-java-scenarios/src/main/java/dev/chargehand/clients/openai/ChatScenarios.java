package dev.chargehand.clients.openai;

import static dev.chargehand.clients.openai.Scenarios.check;
import static dev.chargehand.clients.openai.Scenarios.same;

import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionDeleted;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionListParams;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionStoreMessage;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.chat.completions.ChatCompletionUpdateParams;
import com.openai.models.models.Model;
import com.openai.services.blocking.chat.ChatCompletionService;
import java.util.List;

/** Models and chat completions. */
final class ChatScenarios {

    /** An answer that has a class. */
    static final class Shape {
        public int a;
    }

    private final OpenAIClient client;
    private final OpenAIClient unchecked;

    ChatScenarios(OpenAIClient client) {
        this.client = client;
        this.unchecked = client.withOptions(options -> options.responseValidation(false));
    }

    void addTo(Scenarios scenarios) {
        scenarios
                .add("modelsAreListedAndFound", this::models)
                .add("aChatIsAnswered", this::answered)
                .add("aStoredChatIsReadListedChangedAndDeleted", this::stored)
                .add("aChatIsStreamedWithUsage", this::streamed)
                .add("aChatAnswersAnObjectOfAClass", this::structured)
                .add("aToolOfTheClientIsCalledInAChat", this::tool)
                .add("aToolOfTheClientIsCalledInAStream", this::streamedTool);
    }

    static ChatCompletionCreateParams.Builder chat(String agent, String input) {
        return ChatCompletionCreateParams.builder().model(agent).addUserMessage(input);
    }

    private void models() {
        List<Model> models = client.models().list().items();
        check(
                models.stream()
                        .anyMatch(it -> it.id().equals("writer") && it.ownedBy().equals("chargehand")),
                models);
        Model found = client.models().retrieve("writer");
        same(found.id(), "writer");
        same(found.created(), 0L);
    }

    private void answered() {
        ChatCompletion chat =
                client.chat().completions().create(chat("writer", "Write.").build());
        ChatCompletion.Choice choice = chat.choices().getFirst();
        same(choice.message().content().orElseThrow(), "One two.");
        same(choice.finishReason(), ChatCompletion.Choice.FinishReason.STOP);
        same(chat.usage().orElseThrow().totalTokens(), 15L);
        check(chat.created() > 0, chat);
    }

    private void stored() {
        ChatCompletionService chats = client.chat().completions();
        ChatCompletion made = chats.create(chat("writer", "Write.")
                .store(true)
                .metadata(ChatCompletionCreateParams.Metadata.builder()
                        .putAdditionalProperty("order", JsonValue.from("o-java"))
                        .build())
                .build());
        same(chats.retrieve(made.id()), made);
        ChatCompletionListParams listed = ChatCompletionListParams.builder()
                .metadata(ChatCompletionListParams.Metadata.builder()
                        .putAdditionalProperty("order", "o-java")
                        .build())
                .limit(1)
                .build();
        same(chats.list(listed).autoPager().stream().map(ChatCompletion::id).toList(), List.of(made.id()));
        ChatCompletion changed = chats.update(
                made.id(),
                ChatCompletionUpdateParams.builder()
                        .metadata(ChatCompletionUpdateParams.Metadata.builder()
                                .putAdditionalProperty("state", JsonValue.from("paid"))
                                .build())
                        .build());
        same(changed.metadata().orElseThrow()._allProperties().get("state"), JsonValue.from("paid"));
        check(chats.list(listed).items().isEmpty(), "listed with metadata that was replaced");
        // its type knows messages of assistants only
        ChatCompletionStoreMessage message = unchecked
                .chat()
                .completions()
                .messages()
                .list(made.id())
                .items()
                .getFirst();
        same(message.content().orElseThrow(), "Write.");
        ChatCompletionDeleted deleted = chats.delete(made.id());
        check(deleted.deleted(), deleted);
    }

    private void streamed() {
        ChatCompletion chat = stream(chat("lead", "Write.")
                .streamOptions(
                        ChatCompletionStreamOptions.builder().includeUsage(true).build())
                .build());
        same(chat.choices().getFirst().message().content().orElseThrow(), "I ask.\n\nAll done.");
        same(chat.usage().orElseThrow().totalTokens(), 45L);
    }

    private ChatCompletion stream(ChatCompletionCreateParams params) {
        ChatCompletionAccumulator accumulator = ChatCompletionAccumulator.create();
        try (StreamResponse<ChatCompletionChunk> chunks =
                client.chat().completions().createStreaming(params)) {
            chunks.stream().forEach(accumulator::accumulate);
        }
        return accumulator.chatCompletion();
    }

    private void structured() {
        Shape shape = client.chat()
                .completions()
                .create(chat("shaper", "Shape.").responseFormat(Shape.class).build())
                .choices()
                .getFirst()
                .message()
                .content()
                .orElseThrow();
        same(shape.a, 1);
    }

    private void tool() {
        ChatCompletionCreateParams.Builder chat = chat("helper", "Where?").addTool(locate());
        ChatCompletion first = client.chat().completions().create(chat.build());
        chat.addMessage(first.choices().getFirst().message()).addMessage(result(requested(first)));
        ChatCompletion second = client.chat().completions().create(chat.build());
        same(second.choices().getFirst().message().content().orElseThrow(), "You are there.");
        chat.addMessage(second.choices().getFirst().message()).addUserMessage("And now?");
        var unused = requested(client.chat().completions().create(chat.build()));
    }

    private void streamedTool() {
        ChatCompletionCreateParams.Builder chat = chat("helper", "Where?").addTool(locate());
        ChatCompletion first = stream(chat.build());
        chat.addMessage(first.choices().getFirst().message()).addMessage(result(requested(first)));
        same(stream(chat.build()).choices().getFirst().message().content().orElseThrow(), "You are there.");
    }

    private static ChatCompletionFunctionTool locate() {
        return ChatCompletionFunctionTool.builder()
                .function(FunctionDefinition.builder()
                        .name("locate")
                        .parameters(FunctionParameters.builder()
                                .putAdditionalProperty("type", JsonValue.from("object"))
                                .build())
                        .build())
                .build();
    }

    /** Return the id of the call that an answer requests. */
    private static String requested(ChatCompletion chat) {
        ChatCompletion.Choice choice = chat.choices().getFirst();
        same(choice.finishReason(), ChatCompletion.Choice.FinishReason.TOOL_CALLS);
        ChatCompletionMessageFunctionToolCall call =
                choice.message().toolCalls().orElseThrow().getFirst().asFunction();
        same(call.function().name(), "locate");
        same(call.function().arguments(), "{\"precise\":true}");
        return call.id();
    }

    private static ChatCompletionToolMessageParam result(String call) {
        return ChatCompletionToolMessageParam.builder()
                .toolCallId(call)
                .content("Rome")
                .build();
    }
}
