package dev.chargehand.json;

import java.io.Closeable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;

/** Rejects objects that are work, or lead to a value, and would be written as an empty object. */
final class NotValues {

    private NotValues() {}

    /** Make what reports the JSON library. */
    static SimpleModule module() {
        SimpleModule module = new SimpleModule("not-values");
        refuse(module, BaseStream.class, "a stream has no JSON form; return its elements in a list");
        refuse(module, Future.class, "a future has no JSON form; wait for its value and return that");
        refuse(module, CompletionStage.class, "a future has no JSON form; wait for its value and return that");
        refuse(module, Flow.Publisher.class, "a publisher has no JSON form; return its elements in a list");
        refuse(module, Closeable.class, "an open resource has no JSON form; read it and return what was in it");
        refuse(module, Thread.class, "a thread has no JSON form; return what it found");
        refuse(module, Executor.class, "an executor has no JSON form; return what was found");
        return module.setSerializerModifier(new Lambdas());
    }

    private static void refuse(SimpleModule module, Class<?> type, String why) {
        module.addSerializer(type, new Refusing<>(why));
    }

    /** A lambda, or an object that shows nothing of itself. */
    private static final class Lambdas extends ValueSerializerModifier {

        private static final long serialVersionUID = 1L;

        @Override
        public ValueSerializer<?> modifySerializer(
                SerializationConfig config, BeanDescription.Supplier bean, ValueSerializer<?> serializer) {
            Class<?> type = bean.getBeanClass();
            if (type.isHidden()) {
                return new Refusing<>("a lambda has no JSON form; call it and return what it gives");
            }
            return type == Object.class
                    ? new Refusing<>("a bare Object has no JSON form; return a record, a map or a text")
                    : serializer;
        }
    }

    private static final class Refusing<T> extends ValueSerializer<T> {

        private final String why;

        private Refusing(String why) {
            this.why = why;
        }

        @Override
        public void serialize(T value, JsonGenerator out, SerializationContext context) {
            throw DatabindException.from(out, why);
        }
    }
}
