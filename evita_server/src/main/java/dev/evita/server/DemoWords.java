// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import java.util.List;
import java.util.Map;

/** The words of the demo's names. */
final class DemoWords {

  static final List<String> BRAND_FIRST =
      List.of(
          "Nord", "Alder", "Birk", "Castell", "Dun", "Eben", "Fjord", "Glen", "Hazel", "Isar",
          "Juniper", "Kestrel", "Linden", "Mont", "Nova", "Oster", "Pine", "Quarry", "River",
          "Stein");
  static final List<String> BRAND_LAST =
      List.of("vik", "dale", "haus", "berg", "mark", "field", "lund", "forge", "craft", "holm");
  static final List<String> COUNTRIES =
      List.of("DE", "FR", "IT", "ES", "SE", "NO", "DK", "PL", "CZ", "AT", "NL", "GB", "US", "JP");
  static final List<String> CITIES =
      List.of(
          "Berlin",
          "Lyon",
          "Torino",
          "València",
          "Malmö",
          "Bergen",
          "Århus",
          "Kraków",
          "Brno",
          "Graz",
          "Utrecht",
          "Leeds",
          "Portland",
          "Ōsaka");

  /** Departments, their categories, and the kinds of products in each. */
  static final Map<String, Map<String, List<String>>> TREE =
      Map.of(
          "Home",
          Map.of(
              "Furniture", List.of("Desk", "Chair", "Bookshelf", "Bed Frame"),
              "Lighting", List.of("Desk Lamp", "Floor Lamp", "Pendant", "Wall Light"),
              "Textiles", List.of("Blanket", "Cushion", "Curtain", "Rug")),
          "Kitchen",
          Map.of(
              "Cookware", List.of("Saucepan", "Frying Pan", "Stockpot", "Wok"),
              "Tableware", List.of("Plate", "Bowl", "Mug", "Carafe"),
              "Appliances", List.of("Kettle", "Toaster", "Blender", "Coffee Grinder")),
          "Electronics",
          Map.of(
              "Audio", List.of("Headphones", "Speaker", "Turntable", "Microphone"),
              "Computing", List.of("Keyboard", "Mouse", "Monitor", "Docking Station"),
              "Cameras", List.of("Camera", "Tripod", "Lens", "Camera Bag")),
          "Sports",
          Map.of(
              "Cycling", List.of("Helmet", "Pedals", "Saddle", "Bicycle Light"),
              "Running", List.of("Running Shoes", "Vest", "Bottle", "Headlamp"),
              "Climbing", List.of("Harness", "Rope", "Carabiner", "Chalk Bag")),
          "Outdoor",
          Map.of(
              "Camping", List.of("Tent", "Sleeping Bag", "Camp Stove", "Lantern"),
              "Hiking", List.of("Backpack", "Boots", "Trekking Poles", "Compass"),
              "Garden", List.of("Spade", "Pruning Shears", "Watering Can", "Planter")),
          "Clothing",
          Map.of(
              "Jackets", List.of("Rain Jacket", "Parka", "Fleece", "Windbreaker"),
              "Shirts", List.of("T-Shirt", "Polo", "Flannel Shirt", "Sweater"),
              "Accessories", List.of("Scarf", "Gloves", "Beanie", "Belt")),
          "Toys",
          Map.of(
              "Building", List.of("Block Set", "Marble Run", "Model Kit", "Train Set"),
              "Games", List.of("Board Game", "Card Game", "Puzzle", "Dice Set"),
              "Outdoor Toys", List.of("Kite", "Scooter", "Frisbee", "Swing")),
          "Office",
          Map.of(
              "Writing", List.of("Fountain Pen", "Pencil Set", "Notebook", "Ink"),
              "Storage", List.of("Filing Box", "Drawer Unit", "Letter Tray", "Binder"),
              "Presentation", List.of("Whiteboard", "Projector", "Flip Chart", "Laser Pointer")));

  static final List<String> STYLES =
      List.of(
          "Classic", "Compact", "Folding", "Light", "Modern", "Nordic", "Pro", "Quiet", "Rugged",
          "Slim", "Studio", "Travel", "Urban", "Vintage", "Wide");
  static final List<String> LOOKS =
      List.of(
          "Amber",
          "Anthracite",
          "Black",
          "Blue",
          "Copper",
          "Cream",
          "Forest Green",
          "Graphite",
          "Ivory",
          "Oak",
          "Red",
          "Sand",
          "Silver",
          "Slate",
          "Walnut",
          "White");

  static final List<String> FIRST_NAMES =
      List.of(
          "Anna",
          "Björn",
          "Chloé",
          "Daniel",
          "Elena",
          "Filip",
          "Greta",
          "Hugo",
          "Inés",
          "Jakub",
          "Katarína",
          "Liam",
          "Marta",
          "Noah",
          "Olga",
          "Paul",
          "Renée",
          "Søren",
          "Teresa",
          "Uwe",
          "Vera",
          "Wiktor",
          "Yuki",
          "Zoë",
          "Aiko",
          "Bruno",
          "Clara",
          "Dmitri",
          "Emma",
          "Frida");
  static final List<String> LAST_NAMES =
      List.of(
          "Almeida",
          "Bauer",
          "Černý",
          "Dubois",
          "Eriksson",
          "Fischer",
          "García",
          "Hansen",
          "Ivanova",
          "Jensen",
          "Kowalski",
          "Lindqvist",
          "Moreau",
          "Novák",
          "O'Brien",
          "Petrov",
          "Rossi",
          "Schneider",
          "Takahashi",
          "Urban",
          "Visser",
          "Weber",
          "Yamada",
          "Zieliński",
          "Andersen",
          "Brown",
          "Conti",
          "Díaz",
          "Müller",
          "Smith");

  static final List<String> PRAISE =
      List.of("Disappointing", "Not for me", "Does what it should", "Very good", "Excellent");
  static final List<String> REMARKS =
      List.of(
          "Arrived on time and well packed.",
          "I have used it every day for three months.",
          "The colour is a little darker than in the picture.",
          "My second one; the first went to my sister.",
          "Smaller than I thought, but that is my fault.",
          "The instructions could be clearer.");

  private DemoWords() {}
}
