package dev.chargehand.internal.journal;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.HookDecision;
import dev.chargehand.internal.option.RunKind;
import dev.chargehand.memory.Scope;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.version.Version;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * The names under which constants are stored: their own. {@code FactFormsTest} fails when a constant is renamed; the renamed
 * constant then needs its former name here, by which stored facts have it.
 */
final class ConstantNames {

    private static final List<Table<?>> TABLES = List.of(
            new Table<>(FinishReason.class),
            new Table<>(CallKind.class),
            new Table<>(WaitKind.class),
            new Table<>(CallAnswer.class),
            new Table<>(HookDecision.class),
            new Table<>(RunStatus.class),
            new Table<>(Role.class),
            new Table<>(RunKind.class),
            new Table<>(BailStrategy.class),
            new Table<>(BusyThreadPolicy.class),
            new Table<>(StructuredOutput.OnInvalid.class),
            new Table<>(HookPolicy.class),
            new Table<>(Hook.class),
            new Table<>(Scope.class),
            new Table<>(Version.Kind.class),
            new Table<>(Limit.class),
            new Table<>(TimeLimit.class));

    private ConstantNames() {}

    /** Add to a module how constants are written and read. */
    static void addTo(SimpleModule module) {
        TABLES.forEach(table -> table.addTo(module));
    }

    /** Return the names of the constants of a type. */
    static List<String> of(Class<?> type) {
        return TABLES.stream()
                .filter(table -> table.type == type)
                .findFirst()
                .map(table -> List.copyOf(table.byName.keySet()))
                .orElseThrow(() -> new IllegalArgumentException(type.getName() + " has no names to be stored under."));
    }

    /** The names of one type. */
    private static final class Table<E extends Enum<E>> {

        private final Class<E> type;
        private final Map<String, E> byName = new LinkedHashMap<>();

        Table(Class<E> type) {
            this.type = type;
            for (E constant : type.getEnumConstants()) {
                byName.put(constant.name(), constant);
            }
        }

        void addTo(SimpleModule module) {
            module.addSerializer(type, new ValueSerializer<E>() {
                @Override
                public void serialize(E value, JsonGenerator out, SerializationContext context) {
                    out.writeString(value.name());
                }
            });
            module.addKeySerializer(type, new ValueSerializer<E>() {
                @Override
                public void serialize(E value, JsonGenerator out, SerializationContext context) {
                    out.writeName(value.name());
                }
            });
            module.addDeserializer(type, new ValueDeserializer<E>() {
                @Override
                public E deserialize(JsonParser in, DeserializationContext context) {
                    return constant(in.getValueAsString());
                }
            });
            module.addKeyDeserializer(type, new KeyDeserializer() {
                @Override
                public Object deserializeKey(String key, DeserializationContext context) {
                    return constant(key);
                }
            });
        }

        private E constant(String stored) {
            E constant = byName.get(stored);
            if (constant == null) {
                throw new InvalidJsonException(
                        "'" + stored + "' is not stored for any " + type.getSimpleName() + ".", null);
            }
            return constant;
        }
    }
}
