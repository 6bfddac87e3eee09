package dev.chargehand.internal.fact;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.chargehand.error.StoreException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.FactEntry;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Writes facts for a store and reads them back.
 *
 * <p>Every type of fact has a name and a version here; the name in the data only ever chooses from this list. A form
 * that is not known - written by a later version - is refused, never guessed at.
 */
public final class FactCodec {

    /** Of the types whose form was never changed; docs/adr/0025 says how it is raised. */
    private static final int FIRST = 1;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(values())
            .changeDefaultPropertyInclusion(include -> include.withValueInclusion(JsonInclude.Include.NON_NULL))
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private FactCodec() {}

    /** Writes a fact; its text is made when the store asks for it. */
    public static FactEntry write(Fact fact) {
        return FactEntry.lazy(nameOf(fact), versionOf(nameOf(fact)), fact, each -> MAPPER.writeValueAsString(each));
    }

    /**
     * Reads a fact.
     *
     * @throws StoreException {@code UNREADABLE} if its type or version is not known, or its text is damaged
     */
    public static Fact read(FactEntry entry) {
        int known = versionOf(entry.type());
        if (entry.version() < FIRST || entry.version() > known) {
            throw new StoreException(
                    StoreException.Kind.UNREADABLE,
                    "A fact '" + entry.type() + "' has version " + entry.version()
                            + ", but this Chargehand reads version " + known
                            + "; use the version that wrote it, or a later one.",
                    null);
        }
        try {
            Fact fact = MAPPER.readValue(entry.text(), typeOf(entry.type()));
            if (fact == null) { // what JSON's null is read as
                throw damaged(entry, null);
            }
            return fact;
        } catch (JacksonException e) {
            throw damaged(entry, e);
        }
    }

    private static StoreException damaged(FactEntry entry, @Nullable JacksonException cause) {
        return new StoreException(
                StoreException.Kind.UNREADABLE, "A stored fact '" + entry.type() + "' is damaged.", cause);
    }

    /**
     * Returns the version in which facts of a type are written. All versions so far are read alike: 2 of {@code started}
     * has {@code structuredOutput} among the settings, and 2 of {@code step-closed} has {@code object}; 3 of {@code
     * started} has {@code kind} and {@code maxProcessorRetries} among the settings, and 3 of {@code step-closed} has {@code
     * answer}; 3 of {@code started} and 2 of {@code answered}, {@code said} and {@code call-opened} have the {@code
     * providerState} of answers and of reasoning in messages; 3 of {@code step-closed} and 2 of {@code call-closed} and
     * {@code stopped} can have a {@code tripwire} among their stop reasons; 4 of {@code step-closed} and 3 of {@code
     * call-closed} and {@code stopped} can have a {@code providerMessage} in the stop reason {@code failed}; 4 of {@code step-closed} has {@code errorId} in the results of scorers. All are null, and the kind is ordinary, where
     * they are missing.
     */
    static int versionOf(String name) {
        return switch (name) {
            case "step-closed" -> 4;
            case "started", "call-closed", "stopped" -> 3;
            case "answered", "said", "call-opened" -> 2;
            default -> FIRST;
        };
    }

    private static String nameOf(Fact fact) {
        return switch (fact) {
            case Fact.Started ignored -> "started";
            case Fact.Suspended ignored -> "suspended";
            case Fact.Resumed ignored -> "resumed";
            case Fact.Said ignored -> "said";
            case Fact.Answered ignored -> "answered";
            case Fact.Processed ignored -> "processed";
            case Fact.CallOpened ignored -> "call-opened";
            case Fact.CallParked ignored -> "call-parked";
            case Fact.CallDecided ignored -> "call-decided";
            case Fact.CallClosed ignored -> "call-closed";
            case Fact.StepClosed ignored -> "step-closed";
            case Fact.Stopped ignored -> "stopped";
        };
    }

    static Class<? extends Fact> typeOf(String name) {
        return switch (name) {
            case "started" -> Fact.Started.class;
            case "suspended" -> Fact.Suspended.class;
            case "resumed" -> Fact.Resumed.class;
            case "said" -> Fact.Said.class;
            case "answered" -> Fact.Answered.class;
            case "processed" -> Fact.Processed.class;
            case "call-opened" -> Fact.CallOpened.class;
            case "call-parked" -> Fact.CallParked.class;
            case "call-decided" -> Fact.CallDecided.class;
            case "call-closed" -> Fact.CallClosed.class;
            case "step-closed" -> Fact.StepClosed.class;
            case "stopped" -> Fact.Stopped.class;
            default ->
                throw new StoreException(
                        StoreException.Kind.UNREADABLE,
                        "A stored fact has the type '" + name
                                + "', which this Chargehand does not know; use the version that wrote it.",
                        null);
        };
    }

    /** The values that write themselves as JSON or as one string. */
    private static SimpleModule values() {
        SimpleModule module = new SimpleModule("chargehand-facts");
        json(module, Message.class, Message::toJson, Message::fromJson);
        json(module, StopReason.class, FactCodec::stored, StopReason::fromJson);
        json(module, RequestContext.class, StoredContext::write, StoredContext::read);
        json(module, JsonSchema.class, JsonSchema::json, JsonSchema::of);
        text(module, RunId.class, RunId::value, RunId::new);
        text(module, AgentPath.class, AgentPath::toString, AgentPath::parse);
        text(module, ToolChoice.class, ToolChoice::text, ToolChoice::parse);
        return module;
    }

    /** A provider's own words are stored, although the public form of a reason leaves them out. */
    private static Json stored(StopReason reason) {
        if (!(reason instanceof StopReason.Failed failed) || failed.providerMessage() == null) {
            return reason.toJson();
        }
        Map<String, Json> fields = reason.toJson().fields();
        fields.put("providerMessage", Json.of(failed.providerMessage()));
        return Json.of(fields);
    }

    /** The values of a request context that are stored, by name. */
    private record StoredContext(Map<String, Json> values) {

        static Json write(RequestContext context) {
            return Json.of(new StoredContext(context.stored()));
        }

        static RequestContext read(Json stored) {
            return RequestContext.restore(stored.as(StoredContext.class).values);
        }
    }

    private static <T> void json(SimpleModule module, Class<T> type, Function<T, Json> write, Function<Json, T> read) {
        module.addSerializer(type, new ValueSerializer<T>() {
            @Override
            public void serialize(T value, JsonGenerator out, SerializationContext context) {
                out.writeRawValue(write.apply(value).text());
            }
        });
        module.addDeserializer(type, new ValueDeserializer<T>() {
            @Override
            public T deserialize(JsonParser in, DeserializationContext context) {
                return read.apply(context.readValue(in, Json.class));
            }
        });
    }

    private static <T> void text(
            SimpleModule module, Class<T> type, Function<T, String> write, Function<String, T> read) {
        module.addSerializer(type, new ValueSerializer<T>() {
            @Override
            public void serialize(T value, JsonGenerator out, SerializationContext context) {
                out.writeString(write.apply(value));
            }
        });
        module.addDeserializer(type, new ValueDeserializer<T>() {
            @Override
            public T deserialize(JsonParser in, DeserializationContext context) {
                return read.apply(in.getValueAsString());
            }
        });
    }
}
