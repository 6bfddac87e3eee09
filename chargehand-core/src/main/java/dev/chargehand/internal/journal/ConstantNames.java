package dev.chargehand.internal.journal;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.HookDecision;
import dev.chargehand.internal.option.RunKind;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.TimeLimit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;

/** The names under which constants are stored. They stay when a constant is renamed. */
final class ConstantNames {

    private static final List<Table<?>> TABLES = List.of(
            table(FinishReason.class, ConstantNames::finishReason),
            table(CallKind.class, ConstantNames::callKind),
            table(PendingApproval.Kind.class, ConstantNames::approvalKind),
            table(CallAnswer.class, ConstantNames::callAnswer),
            table(HookDecision.class, ConstantNames::hookDecision),
            table(RunStatus.class, ConstantNames::runStatus),
            table(Role.class, ConstantNames::role),
            table(RunKind.class, ConstantNames::runKind),
            table(BailStrategy.class, ConstantNames::bailStrategy),
            table(BusyThreadPolicy.class, ConstantNames::busyThreadPolicy),
            table(StructuredOutput.OnInvalid.class, ConstantNames::onInvalid),
            table(HookPolicy.class, ConstantNames::hookPolicy),
            table(Hook.class, ConstantNames::hook),
            table(Limit.class, ConstantNames::limit),
            table(TimeLimit.class, ConstantNames::timeLimit));

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

    private static String finishReason(FinishReason constant) {
        return switch (constant) {
            case STOP -> "STOP";
            case TOOL_CALLS -> "TOOL_CALLS";
            case LENGTH -> "LENGTH";
            case CONTENT_FILTER -> "CONTENT_FILTER";
            case UNKNOWN -> "UNKNOWN";
            case MISSING -> "MISSING";
        };
    }

    private static String callKind(CallKind constant) {
        return switch (constant) {
            case REPEATABLE -> "REPEATABLE";
            case UNSAFE -> "UNSAFE";
            case CHILD -> "CHILD";
        };
    }

    private static String approvalKind(PendingApproval.Kind constant) {
        return switch (constant) {
            case APPROVAL -> "APPROVAL";
            case DATA -> "DATA";
            case INTERRUPTED -> "INTERRUPTED";
        };
    }

    private static String callAnswer(CallAnswer constant) {
        return switch (constant) {
            case APPROVED -> "APPROVED";
            case DECLINED -> "DECLINED";
            case DATA -> "DATA";
            case EXPIRED -> "EXPIRED";
        };
    }

    private static String hookDecision(HookDecision constant) {
        return switch (constant) {
            case PROCEED -> "PROCEED";
            case STOP -> "STOP";
        };
    }

    private static String runStatus(RunStatus constant) {
        return switch (constant) {
            case PENDING -> "PENDING";
            case RUNNING -> "RUNNING";
            case SUSPENDED -> "SUSPENDED";
            case COMPLETED -> "COMPLETED";
            case INCOMPLETE -> "INCOMPLETE";
            case ABORTED -> "ABORTED";
            case FAILED -> "FAILED";
        };
    }

    private static String role(Role constant) {
        return switch (constant) {
            case SYSTEM -> "SYSTEM";
            case USER -> "USER";
            case ASSISTANT -> "ASSISTANT";
            case TOOL -> "TOOL";
        };
    }

    private static String runKind(RunKind constant) {
        return switch (constant) {
            case ORDINARY -> "ORDINARY";
            case NETWORK -> "NETWORK";
        };
    }

    private static String bailStrategy(BailStrategy constant) {
        return switch (constant) {
            case FIRST -> "FIRST";
            case LAST -> "LAST";
        };
    }

    private static String busyThreadPolicy(BusyThreadPolicy constant) {
        return switch (constant) {
            case QUEUE -> "QUEUE";
            case REJECT -> "REJECT";
        };
    }

    private static String onInvalid(StructuredOutput.OnInvalid constant) {
        return switch (constant) {
            case STRICT -> "STRICT";
            case WARN -> "WARN";
            case FALLBACK -> "FALLBACK";
        };
    }

    private static String hookPolicy(HookPolicy constant) {
        return switch (constant) {
            case CONTINUE -> "CONTINUE";
            case REFUSE -> "REFUSE";
            case FAIL_RUN -> "FAIL_RUN";
        };
    }

    private static String hook(Hook constant) {
        return switch (constant) {
            case PREPARE_STEP -> "PREPARE_STEP";
            case BEFORE_TOOL_CALL -> "BEFORE_TOOL_CALL";
            case REQUIRE_TOOL_APPROVAL -> "REQUIRE_TOOL_APPROVAL";
            case ON_DELEGATION_START -> "ON_DELEGATION_START";
            case MESSAGE_FILTER -> "MESSAGE_FILTER";
            case OBSERVE_DELEGATION_START -> "OBSERVE_DELEGATION_START";
            case ON_DELEGATION_COMPLETE -> "ON_DELEGATION_COMPLETE";
            case ON_ITERATION_COMPLETE -> "ON_ITERATION_COMPLETE";
            case ON_COMPLETE -> "ON_COMPLETE";
            case STOP_WHEN -> "STOP_WHEN";
            case ON_STEP_FINISH -> "ON_STEP_FINISH";
        };
    }

    private static String limit(Limit constant) {
        return switch (constant) {
            case MODEL_CALLS -> "MODEL_CALLS";
            case TOOL_CALLS -> "TOOL_CALLS";
            case DEPTH -> "DEPTH";
            case SAME_AGENT_ON_PATH -> "SAME_AGENT_ON_PATH";
            case CALLS_PER_STEP -> "CALLS_PER_STEP";
            case IDENTICAL_CALLS -> "IDENTICAL_CALLS";
            case OUTPUT_CHARACTERS -> "OUTPUT_CHARACTERS";
            case TOOL_RESULT_BYTES -> "TOOL_RESULT_BYTES";
            case ARGUMENT_BYTES -> "ARGUMENT_BYTES";
            case ARGUMENT_NESTING -> "ARGUMENT_NESTING";
        };
    }

    private static String timeLimit(TimeLimit constant) {
        return switch (constant) {
            case CONNECT -> "CONNECT";
            case FIRST_TOKEN -> "FIRST_TOKEN";
            case IDLE -> "IDLE";
            case TOOL -> "TOOL";
            case HOOK -> "HOOK";
            case RUN -> "RUN";
            case CONSUMER -> "CONSUMER";
        };
    }

    private static <E extends Enum<E>> Table<E> table(Class<E> type, Function<E, String> name) {
        return new Table<>(type, name);
    }

    /** The names of one type. */
    private static final class Table<E extends Enum<E>> {

        private final Class<E> type;
        private final Function<E, String> name;
        private final Map<String, E> byName = new LinkedHashMap<>();

        Table(Class<E> type, Function<E, String> name) {
            this.type = type;
            this.name = name;
            for (E constant : type.getEnumConstants()) {
                byName.put(name.apply(constant), constant);
            }
        }

        void addTo(SimpleModule module) {
            module.addSerializer(type, new ValueSerializer<E>() {
                @Override
                public void serialize(E value, JsonGenerator out, SerializationContext context) {
                    out.writeString(name.apply(value));
                }
            });
            module.addKeySerializer(type, new ValueSerializer<E>() {
                @Override
                public void serialize(E value, JsonGenerator out, SerializationContext context) {
                    out.writeName(name.apply(value));
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
