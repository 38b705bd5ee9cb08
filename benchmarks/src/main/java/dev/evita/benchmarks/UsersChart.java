// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.awt.Color;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Rates of several programs by the number of virtual users. Not thread-safe. */
final class UsersChart {

  private final Map<String, XYSeries> programs = new LinkedHashMap<>();

  void add(String program, int users, double perSecond) {
    programs.computeIfAbsent(program, XYSeries::new).addOrUpdate(users, perSecond);
  }

  JFreeChart draw(String title) {
    var all = new XYSeriesCollection();
    programs.values().forEach(all::addSeries);
    var chart =
        ChartFactory.createXYLineChart(
            title, null, "requests/s", all, PlotOrientation.VERTICAL, true, false, false);
    var users = new LogAxis("virtual users");
    users.setBase(10);
    users.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
    chart.getXYPlot().setDomainAxis(users);
    chart.getXYPlot().setRenderer(new XYLineAndShapeRenderer());
    chart.getXYPlot().setBackgroundPaint(Color.WHITE);
    chart.getXYPlot().setDomainGridlinePaint(Color.LIGHT_GRAY);
    chart.getXYPlot().setRangeGridlinePaint(Color.LIGHT_GRAY);
    return chart;
  }
}
