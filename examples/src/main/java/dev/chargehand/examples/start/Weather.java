package dev.chargehand.examples.start;

import dev.chargehand.Agent;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.tool.Tool;

/** An agent with a tool, whose answer is printed as it is written. */
public final class Weather {

    record City(String name) {}

    private Weather() {}

    static Agent agent() {
        Tool forecast = Tool.of(
                "forecast", "Returns the weather of a city.", City.class, (city, context) -> "Rain in " + city.name());
        return Agent.builder("weather")
                .instructions("Answer in one sentence.")
                .model("openai/gpt-5-mini")
                .tools(forecast)
                .build();
    }

    public static void main(String[] arguments) {
        try (RunStream run = agent().stream("What do I wear in Oslo today?")) {
            for (RunEvent event : run) {
                if (event instanceof RunEvent.TextDelta delta) {
                    System.out.print(delta.text());
                }
            }
            System.out.println("\n" + run.result().stopReason());
        }
    }
}
